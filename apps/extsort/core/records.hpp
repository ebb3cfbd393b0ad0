// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Formats: the layout of records in a file, and the order of their keys. Each class below is a
// format, a value that any number of threads may read, with
//
//   size_of(at, available)   bytes of the record at `at`, of which `available` are in memory; more than `available` if
//                            these are too few to tell
//   size_of(at, available, seen)  likewise, for a record that does not end in its first `seen` bytes. May be missing
//   word(at, place)          a piece of its key as a number, from that place on: keys compare as their words do,
//                            one after the other. Up to `record_slack` bytes after the record may be read
//   next(place, word)        moves to the next piece of keys with equal words before `place`, and `word` at it;
//                            false: the keys are equal
//   compare(a, b)            compares two keys
//   words_decide             whether every key has just one word

#include <algorithm>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace extsort {

using record_view = std::span<const std::byte>;

template <class T>
T loaded(const std::byte* from) noexcept {
  T made;
  std::memcpy(&made, from, sizeof made);
  return made;
}

static_assert(std::endian::native == std::endian::little);

/// Returns the size of a record that does not end in its first `seen` bytes, which need not be read
/// again.
template <class Format>
std::uint64_t size_of(const Format& format, const std::byte* at, std::uint64_t available, std::uint64_t seen) noexcept {
  if constexpr (requires { format.size_of(at, available, seen); }) {
    return format.size_of(at, available, seen);
  } else {
    return format.size_of(at, available);
  }
}

/// Place of a word in a key; a record may have several keys.
struct key_place {
  std::uint32_t key = 0;
  std::uint32_t column = 0;  ///< words, in that key

  /// Returns a number that is greater for later places.
  std::uint64_t number() const noexcept { return std::uint64_t{key} << 32 | column; }
};

/// Bytes after a record in memory that may be read, so that short records are read and copied in
/// steps of a fixed size.
inline constexpr std::size_t record_slack = 96;

/// Returns the `depth`-th eight bytes of a key as a number that has the order of the bytes. Bytes
/// after the end of the key are zeros.
inline std::uint64_t word_of(std::string_view key, std::size_t depth) noexcept {
  const std::size_t begin = 8 * depth;
  if (begin >= key.size()) return 0;
  std::uint64_t made = 0;
  std::memcpy(&made, key.data() + begin, std::min<std::size_t>(8, key.size() - begin));
  return __builtin_bswap64(made);
}

/// Records of S: `u64 key | u32 length | length bytes`, little-endian. (S, section 1, and its
/// generator.)
struct binary_records {
  static constexpr bool words_decide = true;
  static constexpr std::uint64_t head = 12;

  std::uint64_t size_of(const std::byte* at, std::uint64_t available) const noexcept {
    return available < head ? head : head + loaded<std::uint32_t>(at + 8);
  }
  std::uint64_t word(const std::byte* at, key_place) const noexcept { return loaded<std::uint64_t>(at); }
  static bool next(key_place&, std::uint64_t) noexcept { return false; }
  std::strong_ordering compare(record_view a, record_view b) const noexcept {
    return word(a.data(), {}) <=> word(b.data(), {});
  }
};

/// Records of one size, each with a key of bytes that compare as numbers from 0 to 255.
struct fixed_records {
  static constexpr bool words_decide = false;
  std::uint64_t size = 100;
  std::uint64_t key_begin = 0;
  std::uint64_t key_size = 10;

  std::uint64_t size_of(const std::byte*, std::uint64_t) const noexcept { return size; }
  std::uint64_t word(const std::byte* at, key_place place) const noexcept { return word_of(key(at), place.column); }
  bool next(key_place& place, std::uint64_t) const noexcept {
    ++place.column;
    return std::uint64_t{8} * place.column < key_size;
  }
  std::strong_ordering compare(record_view a, record_view b) const noexcept { return key(a.data()) <=> key(b.data()); }

 private:
  std::string_view key(const std::byte* at) const noexcept {
    return {reinterpret_cast<const char*>(at) + key_begin, key_size};
  }
};

/// First difference between two keys.
struct key_difference {
  bool is_none = false;  ///< the keys are equal
  key_place place;
  std::uint64_t a = 0, b = 0;  ///< their words there
};

/// @param place the keys are known to be equal before it
template <class Format>
key_difference difference(const Format& format, const std::byte* a, const std::byte* b, key_place place) noexcept {
  if constexpr (requires { format.difference(a, b, place); }) {
    return format.difference(a, b, place);
  } else {
    while (true) {
      const std::uint64_t of_a = format.word(a, place), of_b = format.word(b, place);
      if (of_a != of_b) return {.place = place, .a = of_a, .b = of_b};
      if (!format.next(place, of_a)) return {.is_none = true, .place = place};
    }
  }
}

}  // namespace extsort
