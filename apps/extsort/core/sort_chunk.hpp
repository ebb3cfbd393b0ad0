// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "chunk.hpp"
#include "record_format.hpp"

#include <hwy/contrib/sort/vqsort.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace extsort {

/// Sorts the records of a chunk, stably, by one machine word for each: the leading bits of the key
/// from the first bit that differs between records on, and after them the offset of the record.
/// Records with equal leading bits, whose keys may differ, are sorted again by the bits that
/// follow. For the formats of an input, by one thread at a time.
template <class Format>
class chunk_sorter {
 public:
  explicit chunk_sorter(const Format& format) : format_(format) {}

  /// @param words one for each record; afterwards they are in order, and `offset_in` returns the
  /// place of the record of each
  void sort(const std::byte* base, const survey& of, std::span<std::uint64_t> words);

  std::uint64_t offset_in(std::uint64_t word) const noexcept { return word & offset_mask_; }

 private:
  using entry = hwy::uint128_t;  // high: a word, low: the offset

  unsigned shift_of(std::uint64_t range) const noexcept;
  std::uint64_t packed(std::uint64_t value, unsigned shift, std::uint64_t offset) const noexcept;
  std::uint64_t word_at(std::uint64_t offset, key_place place) const noexcept;
  void again(std::span<std::uint64_t> words, key_place place, bool is_exact, std::uint64_t least);
  auto by_difference(key_place place) const;
  void sort_group(std::span<std::uint64_t> words, key_place place);
  void sort_few(std::span<std::uint64_t> words, key_place place);
  void sort_entries(std::span<entry> entries, key_place place);
  void sort_by_words(std::span<entry> entries);

  Format format_;
  hwy::Sorter sort_;
  const std::byte* base_ = nullptr;
  unsigned offset_bits_ = 0;
  std::uint64_t offset_mask_ = 0;
  std::vector<entry> few_;
};

extern template class chunk_sorter<binary_records>;
extern template class chunk_sorter<fixed_records>;
extern template class chunk_sorter<text_lines>;
extern template class chunk_sorter<zero_lines>;

}  // namespace extsort
