// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "sort_chunk.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace extsort {
namespace {

constexpr std::size_t few = 4096;

// From this word on, keys are compared as a whole: finding a word of a key takes as long as finding
// the whole key, and each word may separate only one record.
bool is_far_behind(key_place place) noexcept { return place.column >= 32; }

}  // namespace

template <class Format>
void chunk_sorter<Format>::sort(const std::byte* base, const survey& of, std::span<std::uint64_t> words) {
  base_ = base;
  offset_bits_ = static_cast<unsigned>(std::bit_width(of.bytes));
  offset_mask_ = (std::uint64_t{1} << offset_bits_) - 1;
  const unsigned shift = shift_of(of.most - of.least);
  std::uint64_t offset = 0, last = 0;
  bool is_sorted = true, is_exact = shift == 0;
  for (std::uint64_t& each : words) {
    std::uint64_t word = format_.word(base + offset, {});
    if constexpr (!Format::words_decide) {
      const std::uint64_t near = std::clamp(word, of.least, of.most);
      is_exact = is_exact && word == near;
      word = near;
    }
    each = packed(word - of.least, shift, offset);
    is_sorted = is_sorted && each >= last;
    last = each;
    offset += format_.size_of(base + offset, of.bytes - offset);
  }
  if (!is_sorted) sort_(words.data(), words.size(), hwy::SortAscending());
  if (Format::words_decide && is_exact) return;
  again(words, {}, is_exact, of.least);
}

template <class Format>
unsigned chunk_sorter<Format>::shift_of(std::uint64_t range) const noexcept {
  const auto bits = static_cast<unsigned>(std::bit_width(range)) + offset_bits_;
  return bits > 64 ? bits - 64 : 0;
}

template <class Format>
std::uint64_t chunk_sorter<Format>::packed(std::uint64_t value, unsigned shift, std::uint64_t offset) const noexcept {
  return (value >> shift) << offset_bits_ | offset;
}

template <class Format>
std::uint64_t chunk_sorter<Format>::word_at(std::uint64_t offset, key_place place) const noexcept {
  return format_.word(base_ + offset, place);
}

// Sorts records with equal leading bits again. They are sorted by the words at `place` less
// `least`, exactly or approximately.
template <class Format>
void chunk_sorter<Format>::again(std::span<std::uint64_t> words, key_place place, bool is_exact, std::uint64_t least) {
  for (std::size_t begin = 0; begin != words.size();) {
    const std::uint64_t value = words[begin] >> offset_bits_;
    std::size_t end = begin + 1;
    while (end != words.size() && words[end] >> offset_bits_ == value) ++end;
    key_place there = place;
    if (end - begin > 1 && (!is_exact || format_.next(there, value + least)))
      sort_group(words.subspan(begin, end - begin), there);
    begin = end;
  }
}

// Returns the order of offsets of records whose keys are equal before `place`.
template <class Format>
auto chunk_sorter<Format>::by_difference(key_place place) const {
  return [this, place](std::uint64_t a, std::uint64_t b) {
    if (a == b) return false;
    const key_difference found = difference(format_, base_ + a, base_ + b, place);
    return found.is_none ? a < b : found.a < found.b;
  };
}

template <class Format>
void chunk_sorter<Format>::sort_group(std::span<std::uint64_t> words, key_place place) {
  if (is_far_behind(place)) {
    std::ranges::sort(words, by_difference(place), [this](std::uint64_t word) { return offset_in(word); });
    return;
  }
  while (words.size() > few) {
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max(), most = 0;
    for (const std::uint64_t each : words) {
      const std::uint64_t value = word_at(offset_in(each), place);
      least = std::min(least, value);
      most = std::max(most, value);
    }
    if (least != most) {
      const unsigned shift = shift_of(most - least);
      for (std::uint64_t& each : words) {
        const std::uint64_t offset = offset_in(each);
        each = packed(word_at(offset, place) - least, shift, offset);
      }
      sort_(words.data(), words.size(), hwy::SortAscending());
      return again(words, place, shift == 0, least);
    }
    if (!format_.next(place, least)) return;
    if (is_far_behind(place)) return sort_group(words, place);
  }
  sort_few(words, place);
}

// Sorts by whole words beside the offsets, in separate memory.
template <class Format>
void chunk_sorter<Format>::sort_few(std::span<std::uint64_t> words, key_place place) {
  if (words.size() == 2) {
    const std::uint64_t first = offset_in(words[0]), second = offset_in(words[1]);
    const key_difference found = difference(format_, base_ + first, base_ + second, place);
    if (!found.is_none && found.b < found.a) std::swap(words[0], words[1]);
    return;
  }
  if (few_.empty()) few_.resize(few);
  const std::span<entry> entries = std::span(few_).first(words.size());
  for (std::size_t i = 0; i != words.size(); ++i) entries[i].lo = offset_in(words[i]);
  sort_entries(entries, place);
  for (std::size_t i = 0; i != words.size(); ++i) words[i] = entries[i].lo;
}

template <class Format>
void chunk_sorter<Format>::sort_entries(std::span<entry> entries, key_place place) {
  while (true) {
    if (is_far_behind(place)) {
      std::ranges::sort(entries, by_difference(place), &entry::lo);
      return;
    }
    std::uint64_t differing = 0;
    for (entry& each : entries) {
      each.hi = word_at(each.lo, place);
      differing |= each.hi ^ entries[0].hi;
    }
    if (differing != 0) break;
    if (!format_.next(place, entries[0].hi)) return;
  }
  sort_by_words(entries);
  for (std::size_t begin = 0; begin != entries.size();) {
    std::size_t end = begin + 1;
    while (end != entries.size() && entries[end].hi == entries[begin].hi) ++end;
    key_place there = place;
    if (end - begin > 1 && format_.next(there, entries[begin].hi))
      sort_entries(entries.subspan(begin, end - begin), there);
    begin = end;
  }
}

template <class Format>
void chunk_sorter<Format>::sort_by_words(std::span<entry> entries) {
  constexpr std::size_t very_few = 16,
                        worth_vectors = 512;  // the vectorised sort asks the system for random numbers each time
  const auto is_before = [](const entry& a, const entry& b) { return a.hi != b.hi ? a.hi < b.hi : a.lo < b.lo; };
  if (entries.size() > worth_vectors) {
    sort_(entries.data(), entries.size(), hwy::SortAscending());
  } else if (entries.size() > very_few) {
    std::ranges::sort(entries, is_before);
  } else {
    for (std::size_t i = 1; i != entries.size(); ++i) {
      const entry present = entries[i];
      std::size_t at = i;
      for (; at != 0 && is_before(present, entries[at - 1]); --at) entries[at] = entries[at - 1];
      entries[at] = present;
    }
  }
}

template class chunk_sorter<binary_records>;
template class chunk_sorter<fixed_records>;
template class chunk_sorter<text_lines>;
template class chunk_sorter<zero_lines>;

}  // namespace extsort
