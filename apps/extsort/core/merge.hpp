// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine.hpp"
#include "record_writer.hpp"
#include "run_cursor.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
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
};

/// Merges parts of runs: of equal records that of the earlier run comes first. A tree of losers (Knuth, TAOCP 3, 5.4.1). For one thread at a time.
template <class Format>
class merger {
 public:
  /// @param unique leaves out all but the first of records with equal keys
  merger(disk_queue& disk, const Format& format, bool unique) : disk_(&disk), format_(format), is_unique_(unique) {}

  /// @param memory for a cursor of each @param sample_distance 0: no samples are taken
  /// @return all of the run that is made but where it is
  run merge(std::span<const run_part> parts, std::size_t block, std::span<std::byte> memory, record_writer& to,
            std::uint64_t sample_distance, const std::stop_token& stop) {
    constexpr std::uint64_t a_while = 1 << 16;  // records
    open(parts, block, memory);
    run made;
    last_.clear();
    std::uint64_t next_sample = sample_distance == 0 ? std::numeric_limits<std::uint64_t>::max() : 0;
    while (tree_[0].rank < exhausted) {
      run_cursor<Format>& first = *cursors_[tree_[0].rank];
      const std::uint64_t size = first.size();
      if (is_unique_ && is_like_last({first.at(), static_cast<std::size_t>(size)})) {
        first.next();
        replay();
        continue;
      }
      if (made.size >= next_sample) [[unlikely]] {
        made.samples.push_back({first.word(), made.size});
        next_sample = made.size + sample_distance;
      }
      to.add(first.at(), size);
      made.size += size;
      made.longest = std::max(made.longest, size);
      if (++made.records % a_while == 0 && stop.stop_requested()) throw interrupted();
      first.next();
      replay();
    }
    to.finish();
    return made;
  }

 private:
  static constexpr std::uint32_t exhausted = std::uint32_t{1} << 31;

  __extension__ using wide = unsigned __int128;
  struct entry {
    std::uint64_t word;
    std::uint32_t rank;  // number of the run; of one that has ended, with `exhausted`
  };

  bool is_like_last(record_view present) {
    if (!last_.empty() && format_.compare(last_, present) == 0) return true;
    last_.assign(present.begin(), present.end());
    return false;
  }

  entry entry_of(std::uint32_t number) const {
    const run_cursor<Format>& of = *cursors_[number];
    if (of.is_at_end()) return {std::numeric_limits<std::uint64_t>::max(), number + exhausted};
    return {of.word(), number};
  }

  bool is_before(const entry& a, const entry& b) const {
    if constexpr (Format::words_decide) {
      const auto whole = [](const entry& of) { return static_cast<wide>(of.word) << 64 | of.rank; };
      return whole(a) < whole(b);
    } else {
      if (a.word != b.word) return a.word < b.word;
      if ((a.rank | b.rank) >= exhausted) return a.rank < b.rank;
      const run_cursor<Format>&first = *cursors_[a.rank], &second = *cursors_[b.rank];
      const auto order = format_.compare({first.at(), first.size()}, {second.at(), second.size()});
      return order != 0 ? order < 0 : a.rank < b.rank;
    }
  }

  void open(std::span<const run_part> parts, std::size_t block, std::span<std::byte> memory) {
    while (cursors_.size() < parts.size()) cursors_.push_back(std::make_unique<run_cursor<Format>>(*disk_, format_));
    for (std::size_t i = 0; i != parts.size(); ++i) {
      const std::size_t size = run_cursor<Format>::memory_for(block, parts[i].of->longest);
      cursors_[i]->open(*parts[i].of, parts[i].begin, parts[i].end, block, memory.first(size));
      memory = memory.subspan(size);
    }
    // Leaf i is node runs + i, the children of node n are 2n and 2n + 1; an inner node has the loser of the two below, and node 0 the winner of all.
    runs_ = static_cast<std::uint32_t>(parts.size());
    tree_.assign(std::max<std::size_t>(1, runs_), entry{std::numeric_limits<std::uint64_t>::max(), 2 * exhausted - 1});
    if (runs_ == 0) return;
    std::vector<entry> winners(2 * runs_);
    for (std::uint32_t i = 0; i != runs_; ++i) winners[runs_ + i] = entry_of(i);
    for (std::uint32_t node = runs_ - 1; node > 0; --node) {
      const bool left = is_before(winners[2 * node], winners[2 * node + 1]);
      winners[node] = winners[2 * node + (left ? 0 : 1)];
      tree_[node] = winners[2 * node + (left ? 1 : 0)];
    }
    tree_[0] = winners[1];
  }

  // The winner's cursor has moved.
  void replay() {
    const std::uint32_t number = tree_[0].rank;
    entry present = entry_of(number);
    for (std::uint32_t node = (runs_ + number) / 2; node > 0; node /= 2) {
      entry& there = tree_[node];
      if constexpr (Format::words_decide) {  // without branches
        const entry before = there;
        const bool swaps = is_before(before, present);
        there.word = swaps ? present.word : before.word;
        there.rank = swaps ? present.rank : before.rank;
        present.word = swaps ? before.word : present.word;
        present.rank = swaps ? before.rank : present.rank;
      } else if (is_before(there, present)) {
        std::swap(there, present);
      }
    }
    tree_[0] = present;
  }

  disk_queue* disk_;
  Format format_;
  std::vector<std::unique_ptr<run_cursor<Format>>> cursors_;
  std::vector<entry> tree_;
  std::uint32_t runs_ = 0;
  bool is_unique_;
  std::vector<std::byte> last_;  // record
};

}  // namespace extsort
