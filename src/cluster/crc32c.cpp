// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/crc32c.hpp"

#include <array>
#include <cstring>

namespace weir::cluster {
namespace {

constexpr std::uint32_t polynomial = 0x82F63B78;  // with its bits reversed

using table = std::array<std::uint32_t, 256>;

// Effect of a byte on the CRC, with 0 to 7 zero bytes behind it.
constexpr auto tables = [] {
  std::array<table, 8> made{};
  for (std::uint32_t byte = 0; byte != 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit != 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? polynomial : 0);
    made[0][byte] = crc;
  }
  for (std::size_t i = 1; i != made.size(); ++i) {
    for (std::size_t byte = 0; byte != 256; ++byte) {
      made[i][byte] = (made[i - 1][byte] >> 8) ^ made[0][made[i - 1][byte] & 0xFF];
    }
  }
  return made;
}();

std::uint64_t word_at(const std::byte* at) noexcept {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

std::uint32_t step(std::uint32_t crc, std::byte next) noexcept {
  return (crc >> 8) ^ tables[0][(crc ^ static_cast<std::uint32_t>(next)) & 0xFF];
}

#if defined(__x86_64__)

// Three streams side by side hide the three cycles that the instruction takes. To append the second
// part to the first, the CRC of the first is transformed as if that many zero bytes followed. This
// transformation is linear: a table for each of its four bytes.
constexpr std::size_t part = 2048;

constexpr std::uint32_t over_zeros(std::uint32_t crc, std::size_t bytes) {
  for (std::size_t i = 0; i != bytes; ++i) crc = (crc >> 8) ^ tables[0][crc & 0xFF];
  return crc;
}

const auto& over_part() {
  static const auto made = [] {
    std::array<table, 4> result{};
    std::array<std::uint32_t, 32> bits{};
    for (std::size_t bit = 0; bit != 32; ++bit) bits[bit] = over_zeros(std::uint32_t{1} << bit, part);
    for (std::size_t i = 0; i != 4; ++i) {
      for (std::size_t byte = 0; byte != 256; ++byte) {
        for (std::size_t bit = 0; bit != 8; ++bit) {
          if ((byte >> bit & 1) != 0) result[i][byte] ^= bits[8 * i + bit];
        }
      }
    }
    return result;
  }();
  return made;
}

__attribute__((target("sse4.2"))) std::uint32_t by_instruction(std::span<const std::byte> bytes,
                                                               std::uint32_t before) noexcept {
  const auto& moved = over_part();
  const auto move = [&](std::uint64_t crc) {
    return moved[0][crc & 0xFF] ^ moved[1][crc >> 8 & 0xFF] ^ moved[2][crc >> 16 & 0xFF] ^ moved[3][crc >> 24 & 0xFF];
  };
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  std::uint64_t crc = before;
  for (; left >= 3 * part; left -= 3 * part, at += 3 * part) {
    std::uint64_t second = 0;
    std::uint64_t third = 0;
    for (std::size_t i = 0; i != part; i += 8) {
      crc = __builtin_ia32_crc32di(crc, word_at(at + i));
      second = __builtin_ia32_crc32di(second, word_at(at + part + i));
      third = __builtin_ia32_crc32di(third, word_at(at + 2 * part + i));
    }
    crc = move(move(crc) ^ second) ^ third;
  }
  for (; left >= 8; left -= 8, at += 8) crc = __builtin_ia32_crc32di(crc, word_at(at));
  auto small = static_cast<std::uint32_t>(crc);
  for (; left != 0; --left, ++at) small = step(small, *at);
  return small;
}

#endif

}  // namespace

std::uint32_t crc32c_portable(std::span<const std::byte> bytes, std::uint32_t before) noexcept {
  std::uint32_t crc = ~before;
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) {
    const std::uint64_t word = word_at(at) ^ crc;
    crc = 0;
    for (std::size_t i = 0; i != 8; ++i) crc ^= tables[7 - i][word >> 8 * i & 0xFF];
  }
  for (; left != 0; --left, ++at) crc = step(crc, *at);
  return ~crc;
}

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before) noexcept {
#if defined(__x86_64__)
  static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
  if (has_instruction) return ~by_instruction(bytes, ~before);
#endif
  return crc32c_portable(bytes, before);
}

}  // namespace weir::cluster
