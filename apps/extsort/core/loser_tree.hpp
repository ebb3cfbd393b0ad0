// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "records.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace extsort {

/// Which of several cursors stands at the first record: of equal ones, the earlier cursor (Knuth, TAOCP 3, 5.4.1). A cursor has is_at_end(), at(), size() and word(), the first of its record. For one
/// thread at a time.
template <class Format, class Cursor>
class loser_tree {
 public:
  explicit loser_tree(const Format& format) : format_(format) { open({}); }

  /// @param cursors that stay where they are as long as they are used
  void open(std::span<Cursor* const> cursors) {
    cursors_.assign(cursors.begin(), cursors.end());
    // Leaf i is node count + i, the children of node n are 2n and 2n + 1; an inner node has the loser of the two below, and node 0 the winner of all.
    count_ = static_cast<std::uint32_t>(cursors.size());
    tree_.assign(std::max<std::size_t>(1, count_), entry{std::numeric_limits<std::uint64_t>::max(), 2 * exhausted - 1});
    if (count_ == 0) return;
    winners_.resize(2 * count_);
    for (std::uint32_t i = 0; i != count_; ++i) winners_[count_ + i] = entry_of(i);
    for (std::uint32_t node = count_ - 1; node > 0; --node) {
      const bool left = is_before(winners_[2 * node], winners_[2 * node + 1]);
      winners_[node] = winners_[2 * node + (left ? 0 : 1)];
      tree_[node] = winners_[2 * node + (left ? 1 : 0)];
    }
    tree_[0] = winners_[1];
  }

  bool is_at_end() const noexcept { return tree_[0].rank >= exhausted; }
  Cursor& first() const noexcept { return *cursors_[tree_[0].rank]; }

  /// The first cursor has moved.
  void replay() {
    const std::uint32_t number = tree_[0].rank;
    entry present = entry_of(number);
    for (std::uint32_t node = (count_ + number) / 2; node > 0; node /= 2) {
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

 private:
  static constexpr std::uint32_t exhausted = std::uint32_t{1} << 31;

  __extension__ using wide = unsigned __int128;
  struct entry {
    std::uint64_t word;
    std::uint32_t rank;  // number of the cursor; of one that has ended, with `exhausted`
  };

  entry entry_of(std::uint32_t number) const {
    const Cursor& of = *cursors_[number];
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
      const Cursor &first = *cursors_[a.rank], &second = *cursors_[b.rank];
      const auto order = format_.compare({first.at(), first.size()}, {second.at(), second.size()});
      return order != 0 ? order < 0 : a.rank < b.rank;
    }
  }

  Format format_;
  std::vector<Cursor*> cursors_;
  std::vector<entry> tree_;
  std::vector<entry> winners_;
  std::uint32_t count_ = 0;
};

}  // namespace extsort
