// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sorts the records of a chunk, stably, by one machine word each: the leading bits of the key, as far as they differ at all, and behind them the offset of the record. Where those bits
// are equal and the keys may not be, the same is done again with the bits that follow.

#include "records.hpp"

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace extsort {

/// What is known of some records that follow each other once they have been looked at.
struct survey {
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
  std::uint64_t longest = 0;                                        ///< in bytes
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();  ///< of their first words
  std::uint64_t most = 0;                                           ///< likewise
  bool is_sorted = true;                                            ///< by their first words

  void add(std::uint64_t size, std::uint64_t word) noexcept {
    is_sorted = is_sorted && word >= last_;
    last_ = word;
    ++records;
    bytes += size;
    longest = std::max(longest, size);
    least = std::min(least, word);
    most = std::max(most, word);
  }

 private:
  std::uint64_t last_ = 0;  // word
};

/// For one thread at a time.
template <class Format>
class chunk_sorter {
 public:
  explicit chunk_sorter(const Format& format) : format_(format) {}

  /// @param words one for each record; afterwards `offset_in` tells of each where in the order its record is
  void sort(const std::byte* base, const survey& of, std::span<std::uint64_t> words) {
    base_ = base;
    bytes_ = of.bytes;
    offset_bits_ = static_cast<unsigned>(std::bit_width(of.bytes));
    const unsigned shift = shift_of(of.most - of.least);
    std::uint64_t offset = 0;
    for (std::uint64_t& each : words) {
      const std::uint64_t size = format_.size_of(base + offset, of.bytes - offset);
      each = packed(format_.word(base + offset, size, 0) - of.least, shift, offset);
      offset += size;
    }
    if (!of.is_sorted) sort_(words.data(), words.size(), hwy::SortAscending());
    if (shift != 0) return again(words, 0, stage::word);
    if constexpr (!Format::words_decide) again(words, 0, stage::rest);
  }

  std::uint64_t offset_in(std::uint64_t word) const noexcept { return word & ((std::uint64_t{1} << offset_bits_) - 1); }

 private:
  // What a group has in common, or not: words up to before one, or with it.
  enum class stage { word, rest };

  unsigned shift_of(std::uint64_t range) const noexcept {
    const auto bits = static_cast<unsigned>(std::bit_width(range)) + offset_bits_;
    return bits > 64 ? bits - 64 : 0;
  }
  std::uint64_t packed(std::uint64_t value, unsigned shift, std::uint64_t offset) const noexcept {
    return (value >> shift) << offset_bits_ | offset;
  }
  record_view record(std::uint64_t word) const noexcept {
    const std::byte* const at = base_ + offset_in(word);
    return {at, static_cast<std::size_t>(format_.size_of(at, bytes_ - offset_in(word)))};
  }

  // Those that look alike.
  void again(std::span<std::uint64_t> words, std::size_t depth, stage at) {
    for (std::size_t begin = 0; begin != words.size();) {
      std::size_t end = begin + 1;
      while (end != words.size() && words[end] >> offset_bits_ == words[begin] >> offset_bits_) ++end;
      if (end - begin > 1) sort_group(words.subspan(begin, end - begin), depth, at);
      begin = end;
    }
  }

  void sort_group(std::span<std::uint64_t> words, std::size_t depth, stage at) {
    constexpr std::size_t few = 24;
    if (words.size() <= few) return compare_all(words);
    while (true) {
      const auto value_of = [&](std::uint64_t word) {
        const record_view of = record(word);
        return at == stage::word ? format_.word(of.data(), of.size(), depth)
                                 : format_.rest(of.data(), of.size(), depth);
      };
      std::uint64_t least = std::numeric_limits<std::uint64_t>::max(), most = 0;
      for (const std::uint64_t each : words) {
        const std::uint64_t value = value_of(each);
        least = std::min(least, value);
        most = std::max(most, value);
      }
      if (least != most) {
        if (at == stage::rest && most == unknown) return compare_all(words);
        const unsigned shift = shift_of(most - least);
        for (std::uint64_t& each : words) each = packed(value_of(each) - least, shift, offset_in(each));
        sort_(words.data(), words.size(), hwy::SortAscending());
        return again(words, depth, shift != 0 ? at : stage::rest);
      }
      if (at == stage::word) {
        at = stage::rest;
      } else if (least == goes_on) {
        at = stage::word;
        ++depth;
      } else {
        if (least == unknown) compare_all(words);
        return;
      }
    }
  }

  void compare_all(std::span<std::uint64_t> words) {
    std::ranges::sort(words, [this](std::uint64_t a, std::uint64_t b) {
      const auto order = format_.compare(record(a), record(b));
      return order != 0 ? order < 0 : offset_in(a) < offset_in(b);
    });
  }

  Format format_;
  hwy::Sorter sort_;
  const std::byte* base_ = nullptr;
  std::uint64_t bytes_ = 0;
  unsigned offset_bits_ = 0;
};

}  // namespace extsort
