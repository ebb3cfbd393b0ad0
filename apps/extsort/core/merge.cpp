// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "merge.hpp"

#include "engine.hpp"
#include "loser_tree.hpp"
#include "numbered_records.hpp"
#include "run_cursor.hpp"

#include <algorithm>
#include <variant>
#include <vector>

namespace extsort {
namespace {

template <class Format>
class merger_of final : public merger {
 public:
  merger_of(disk_queue& disk, const Format& format, frame_decoder* decoder, bool unique)
      : disk_(&disk), format_(format), decoder_(decoder), tree_(format), is_unique_(unique) {}

  run merge(std::span<const run_part> parts, std::size_t block, std::span<std::byte> memory, record_writer& to,
            bool plain, sample_places samples, const std::stop_token& stop) override {
    constexpr std::uint64_t a_while = 1 << 21;  // bytes
    const std::size_t left_out = plain ? bytes_in_front<Format> : 0;
    open(parts, block, memory, !plain);
    run made;
    std::uint64_t bytes = 0, records = 0, longest = 0, read = 0, next_look = a_while;
    last_.clear();
    while (!tree_.is_at_end()) {
      run_cursor<Format>& first = tree_.first();
      const std::uint64_t size = first.size();
      if ((read += size) >= next_look) {
        if (stop.stop_requested()) throw interrupted();
        next_look = read + a_while;
      }
      if (is_unique_ && is_like_last({first.at(), static_cast<std::size_t>(size)})) {
        first.next();
        tree_.replay();
        continue;
      }
      if (samples.take(bytes)) made.samples.push_back({first.word(), bytes, records});
      to.add(first.at() + left_out, size - left_out);
      bytes += size - left_out;
      longest = std::max(longest, size);
      ++records;
      first.next();
      tree_.replay();
    }
    made.size = bytes;
    made.records = records;
    made.longest = longest;
    return made;
  }

 private:
  bool is_like_last(record_view present) {
    if (!last_.empty() && compare_keys(format_, last_, present) == 0) return true;
    last_.assign(present.begin(), present.end());
    return false;
  }

  void open(std::span<const run_part> parts, std::size_t block, std::span<std::byte> memory, bool gives_back) {
    while (cursors_.size() < parts.size())
      cursors_.push_back(std::make_unique<run_cursor<Format>>(*disk_, format_, decoder_));
    opened_.clear();
    for (std::size_t i = 0; i != parts.size(); ++i) {
      const std::size_t size = cursor_memory(block, parts[i].of->longest, parts[i].of->frame);
      cursors_[i]->open(*parts[i].of, parts[i].begin, parts[i].end, block, memory.first(size), gives_back);
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

}  // namespace

std::unique_ptr<merger> make_merger(const run_records& of, disk_queue& disk, frame_decoder* decoder) {
  return std::visit(
      [&]<class Format>(const Format& as) -> std::unique_ptr<merger> {
        using numbered = numbered_records<Format>;
        if (of.are_numbered) return std::make_unique<merger_of<numbered>>(disk, numbered(as), decoder, of.are_unique);
        return std::make_unique<merger_of<Format>>(disk, as, decoder, of.are_unique);
      },
      of.format);
}

}  // namespace extsort
