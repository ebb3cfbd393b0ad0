// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How records follow each other in a file, and how they compare. Each of these is a format, a value that any number of threads may read, with
//
//   size_of(at, available)   bytes of the record at `at`, of which `available` are there; if those are too few to tell, more than that
//   word(at, size, depth)    eight bytes of its key, the `depth`-th, as a number: keys compare as their words do, one after the other
//   rest(at, size, depth)    where these are equal: keys compare as this does; `goes_on` if as the next words do, `unknown` if that is not known
//   compare(a, b)            of two keys
//   words_decide             whether records whose first words are equal have equal keys, always

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

/// See `rest`, above. Others are neither.
inline constexpr std::uint64_t goes_on = 9;
inline constexpr std::uint64_t unknown = 32;

/// The `depth`-th eight bytes of a key as a number that is greater where the bytes are; behind its end there are zeros.
inline std::uint64_t word_of(std::string_view key, std::size_t depth) noexcept {
  const std::size_t begin = 8 * depth;
  if (begin >= key.size()) return 0;
  std::uint64_t made = 0;
  std::memcpy(&made, key.data() + begin, std::min<std::size_t>(8, key.size() - begin));
  return __builtin_bswap64(made);
}

/// S's records: `u64 key | u32 length | length bytes`, little-endian. (S, section 1, and its generator.)
struct binary_records {
  static constexpr bool words_decide = true;
  static constexpr std::uint64_t head = 12;

  std::uint64_t size_of(const std::byte* at, std::uint64_t available) const noexcept {
    return available < head ? head : head + loaded<std::uint32_t>(at + 8);
  }
  std::uint64_t word(const std::byte* at, std::uint64_t, std::size_t) const noexcept {
    return loaded<std::uint64_t>(at);
  }
  std::uint64_t rest(const std::byte*, std::uint64_t, std::size_t) const noexcept { return 0; }
  std::strong_ordering compare(record_view a, record_view b) const noexcept {
    return word(a.data(), a.size(), 0) <=> word(b.data(), b.size(), 0);
  }
};

/// Records of one size, each with a key of bytes that compare as numbers from 0 to 255.
struct fixed_records {
  static constexpr bool words_decide = false;
  std::uint64_t size = 100;
  std::uint64_t key_begin = 0;
  std::uint64_t key_size = 10;

  std::uint64_t size_of(const std::byte*, std::uint64_t) const noexcept { return size; }
  std::uint64_t word(const std::byte* at, std::uint64_t, std::size_t depth) const noexcept {
    return word_of(key(at), depth);
  }
  std::uint64_t rest(const std::byte*, std::uint64_t, std::size_t depth) const noexcept {
    return 8 * (depth + 1) < key_size ? goes_on : 0;
  }
  std::strong_ordering compare(record_view a, record_view b) const noexcept { return key(a.data()) <=> key(b.data()); }

 private:
  std::string_view key(const std::byte* at) const noexcept {
    return {reinterpret_cast<const char*>(at) + key_begin, key_size};
  }
};

}  // namespace extsort
