// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine.hpp"
#include "loser_tree.hpp"
#include "numbered_records.hpp"
#include "record_writer.hpp"
#include "run_cursor.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

namespace extsort {

/// A part of a run.
struct run_part {
  const run* of = nullptr;
  std::uint64_t begin = 0;  ///< bytes
  std::uint64_t end = 0;
  std::uint64_t records = 0;
};

/// Merges parts of runs: of equal records that of the earlier run comes first. For one thread at a time.
template <class Format>
class merger {
 public:
  /// @param decoder may be null if runs are not compressed @param unique leaves out all but the first of records with equal keys
  merger(disk_queue& disk, const Format& format, frame_decoder* decoder, bool unique)
      : disk_(&disk), format_(format), decoder_(decoder), tree_(format), is_unique_(unique) {}

  /// @param memory for a cursor of each @param to is not finished @param plain without what is in front of records @param samples places of those that are taken
  /// @return all of the run that is made but where it is
  run merge(std::span<const run_part> parts, std::size_t block, std::span<std::byte> memory, record_writer& to,
            bool plain, sample_places samples, const std::stop_token& stop) {
    constexpr std::uint64_t a_while = 1 << 16;  // records
    const std::size_t left_out = plain ? bytes_in_front<Format> : 0;
    open(parts, block, memory);
    run made;
    last_.clear();
    while (!tree_.is_at_end()) {
      run_cursor<Format>& first = tree_.first();
      const std::uint64_t size = first.size();
      if (is_unique_ && is_like_last({first.at(), static_cast<std::size_t>(size)})) {
        first.next();
        tree_.replay();
        continue;
      }
      if (samples.take(made.size)) made.samples.push_back({first.word(), made.size, made.records});
      to.add(first.at() + left_out, size - left_out);
      made.size += size - left_out;
      made.longest = std::max(made.longest, size);
      if (++made.records % a_while == 0 && stop.stop_requested()) throw interrupted();
      first.next();
      tree_.replay();
    }
    return made;
  }

 private:
  bool is_like_last(record_view present) {
    if (!last_.empty() && compare_keys(format_, last_, present) == 0) return true;
    last_.assign(present.begin(), present.end());
    return false;
  }

  void open(std::span<const run_part> parts, std::size_t block, std::span<std::byte> memory) {
    while (cursors_.size() < parts.size())
      cursors_.push_back(std::make_unique<run_cursor<Format>>(*disk_, format_, decoder_));
    opened_.clear();
    for (std::size_t i = 0; i != parts.size(); ++i) {
      const std::size_t size = run_cursor<Format>::memory_for(block, parts[i].of->longest, parts[i].of->frame);
      cursors_[i]->open(*parts[i].of, parts[i].begin, parts[i].end, block, memory.first(size));
      memory = memory.subspan(size);
      opened_.push_back(cursors_[i].get());
    }
    tree_.open(opened_);
  }

  disk_queue* disk_;
  Format format_;
  frame_decoder* decoder_;
  std::vector<std::unique_ptr<run_cursor<Format>>> cursors_;
  std::vector<run_cursor<Format>*> opened_;
  loser_tree<Format, run_cursor<Format>> tree_;
  bool is_unique_;
  std::vector<std::byte> last_;  // record
};

}  // namespace extsort
