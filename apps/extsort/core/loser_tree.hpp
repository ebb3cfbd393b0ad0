// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "records.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace extsort {

/// Selects the cursor with the first record, and of equal ones the earlier cursor (Knuth, TAOCP 3,
/// 5.4.1). A cursor has is_at_end(), at(), size() and word(), the first word of its record. It may
/// have before(), the preceding record if that is still in memory, which saves comparisons. For one
/// thread at a time.
template <class Format, class Cursor>
class loser_tree {
 public:
  explicit loser_tree(const Format& format) : format_(format) { open({}); }

  /// @param cursors that stay in place while the tree is used
  void open(std::span<Cursor* const> cursors) {
    cursors_.assign(cursors.begin(), cursors.end());
    // Leaf i is node count + i, and the children of node n are 2n and 2n + 1. An inner node has the
    // loser of its two children, and node 0 the winner of all.
    count_ = static_cast<std::uint32_t>(cursors.size());
    tree_.assign(std::max<std::size_t>(1, count_), ended(2 * exhausted - 1));
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

  /// Restores the order after the first cursor has moved.
  void replay() {
    const std::uint32_t number = tree_[0].rank;
    entry present = entry_of(number);
    for (std::uint32_t node = (count_ + number) / 2; node > 0; node /= 2) {
      entry& there = tree_[node];
      if constexpr (Format::words_decide) {
        // The order of random keys cannot be predicted. This uses arithmetic, since compilers turn
        // conditions into branches.
        const std::uint64_t swaps = -std::uint64_t{is_before(there, present)};
        const std::uint64_t word = (there.word ^ present.word) & swaps;
        const auto rank = static_cast<std::uint32_t>((there.rank ^ present.rank) & swaps);
        there.word ^= word;
        there.rank ^= rank;
        present.word ^= word;
        present.rank ^= rank;
      } else if (is_before(there, present)) {
        std::swap(there, present);
      }
    }
    tree_[0] = present;
  }

 private:
  static constexpr std::uint32_t exhausted = std::uint32_t{1} << 31;

  __extension__ using wide = unsigned __int128;
  struct entry_by_word {
    std::uint64_t word;
    std::uint32_t rank;  // number of the run; plus `exhausted` if it has ended
  };
  // The first difference of a key from a key that precedes it (offset-value coding: Conner 1977;
  // Do, Graefe 2020). Of two keys that are compared with the same key, the first is the one that
  // differs from it at a later place, or has the lesser word at the same place; this difference is
  // then also the other key's difference from the first. All keys in a subtree are compared with
  // the winner of that subtree.
  struct entry_by_difference {
    std::uint64_t word;
    std::uint64_t before;  // distance of the difference from the end of all places, or one of:
    std::uint32_t rank;
  };
  static constexpr std::uint64_t is_equal = 0;
  static constexpr std::uint64_t not_known = std::numeric_limits<std::uint64_t>::max();
  static constexpr bool has_before = requires(const Cursor& of) { of.before(); };
  static std::uint64_t before_end(key_place place) { return not_known - 1 - place.number(); }
  static key_place place_of(std::uint64_t before) {
    const std::uint64_t number = not_known - 1 - before;
    return {static_cast<std::uint32_t>(number >> 32), static_cast<std::uint32_t>(number)};
  }
  using entry = std::conditional_t<Format::words_decide, entry_by_word, entry_by_difference>;

  static entry ended(std::uint32_t rank) {
    if constexpr (Format::words_decide) {
      return {std::numeric_limits<std::uint64_t>::max(), rank};
    } else {
      return {0, not_known, rank};
    }
  }

  entry entry_of(std::uint32_t number) const {
    const Cursor& of = *cursors_[number];
    if (of.is_at_end()) return ended(number + exhausted);
    if constexpr (Format::words_decide) {
      return {of.word(), number};
    } else {
      if constexpr (has_before) {
        if (of.before() == nullptr) return {0, not_known, number};
        const key_difference found = difference(format_, of.before(), of.at(), {});
        return found.is_none ? entry{0, is_equal, number} : entry{found.b, before_end(found.place), number};
      } else {
        return {of.word(), not_known, number};
      }
    }
  }

  // Whether `a` goes first. The loser's difference is then relative to the winner.
  bool is_before(entry& a, entry& b) const {
    if constexpr (Format::words_decide) {
      const auto whole = [](const entry& of) { return static_cast<wide>(of.word) << 64 | of.rank; };
      return whole(a) < whole(b);
    } else {
      const auto whole = [](const entry& of) { return static_cast<wide>(of.before) << 64 | of.word; };
      if (whole(a) == whole(b) || a.before == not_known || b.before == not_known) [[unlikely]]
        return is_before_by_keys(a, b);
      return whole(a) < whole(b);
    }
  }

  bool is_before_by_keys(entry& a, entry& b) const {
    if ((a.rank | b.rank) >= exhausted) return a.rank < b.rank;
    if (!has_before && a.word != b.word) return a.word < b.word;
    key_place place;
    key_difference found;
    if (a.before != not_known && b.before != not_known) {
      place = place_of(a.before);
      found.is_none = a.before == is_equal || !format_.next(place, a.word);
    }
    if (!found.is_none) found = difference(format_, cursors_[a.rank]->at(), cursors_[b.rank]->at(), place);
    const bool first = found.is_none ? a.rank < b.rank : found.a < found.b;
    if (!has_before) return first;
    entry& loser = first ? b : a;
    loser.before = found.is_none ? is_equal : before_end(found.place);
    loser.word = found.is_none ? 0 : first ? found.b : found.a;
    return first;
  }

  Format format_;
  std::vector<Cursor*> cursors_;
  std::vector<entry> tree_;
  std::vector<entry> winners_;
  std::uint32_t count_ = 0;
};

}  // namespace extsort
