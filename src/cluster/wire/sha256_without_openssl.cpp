// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/cluster/sha256.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

namespace weir::detail {
namespace {

constexpr std::size_t block_bytes = 64;

constexpr bool is_prime(std::uint32_t number) {
  for (std::uint32_t i = 2; i * i <= number; ++i) {
    if (number % i == 0) return false;
  }
  return true;
}

// Returns the first 32 bits of the fraction of the root of a number: floor(root * 2^32) mod 2^32,
// by bisection.
constexpr std::uint32_t fraction_of_root(std::uint32_t number, int degree) {
  __extension__ using wide = unsigned __int128;
  std::uint64_t low = 0;
  std::uint64_t high = std::uint64_t{1} << 37;  // no root of the first 64 primes reaches 32
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    // middle^degree <= number * 2^(32 * degree)
    const bool fits = degree == 2 ? static_cast<wide>(middle) * middle <= static_cast<wide>(number) << 64
                                  : static_cast<wide>(middle) * middle * middle <= static_cast<wide>(number) << 96;
    (fits ? low : high) = middle;
  }
  return static_cast<std::uint32_t>(low);
}

// FIPS 180-4, 4.2.2 and 5.3.3: the constants are fractions of the roots of the first primes.
template <std::size_t Count>
constexpr std::array<std::uint32_t, Count> fractions_of_roots(int degree) {
  std::array<std::uint32_t, Count> made{};
  std::uint32_t prime = 1;
  for (std::uint32_t& each : made) {
    do ++prime;
    while (!is_prime(prime));
    each = fraction_of_root(prime, degree);
  }
  return made;
}
constexpr auto first_hash = fractions_of_roots<8>(2);
constexpr auto round_constants = fractions_of_roots<64>(3);

}  // namespace

struct sha256::state {
  std::array<std::uint32_t, 8> hash = first_hash;
  std::array<unsigned char, block_bytes> block;  // its first total % 64 bytes are filled
  std::uint64_t total = 0;

  // FIPS 180-4, 6.2.2
  void mix(const unsigned char* from) {
    std::array<std::uint32_t, 64> w;
    for (std::size_t i = 0; i != 16; ++i, from += 4) {
      w[i] = std::uint32_t{from[0]} << 24 | std::uint32_t{from[1]} << 16 | std::uint32_t{from[2]} << 8 | from[3];
    }
    for (std::size_t i = 16; i != w.size(); ++i) {
      const std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
      const std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    auto [a, b, c, d, e, f, g, h] = hash;
    for (std::size_t i = 0; i != w.size(); ++i) {
      const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
      const std::uint32_t choice = (e & f) ^ (~e & g);
      const std::uint32_t one = h + s1 + choice + round_constants[i] + w[i];
      const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
      const std::uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
      h = g;
      g = f;
      f = e;
      e = d + one;
      d = c;
      c = b;
      b = a;
      a = one + s0 + majority;
    }
    const std::array<std::uint32_t, 8> more{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i != hash.size(); ++i) hash[i] += more[i];
  }
};

sha256::sha256() : state_(std::make_unique<state>()) {}
sha256::sha256(sha256&&) noexcept = default;
sha256& sha256::operator=(sha256&&) noexcept = default;
sha256::~sha256() = default;

void sha256::add(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t filled = state_->total % block_bytes;
    const std::size_t some = std::min(block_bytes - filled, bytes.size());
    std::memcpy(state_->block.data() + filled, bytes.data(), some);
    state_->total += some;
    bytes.remove_prefix(some);
    if (filled + some == block_bytes) state_->mix(state_->block.data());
  }
}

sha256::digest sha256::end() {
  // A one bit, zeros up to 8 bytes before the end of a block, and the number of bits.
  const std::uint64_t bits = 8 * state_->total;
  const std::size_t filled = state_->total % block_bytes;
  std::string padding((filled < block_bytes - 8 ? block_bytes : 2 * block_bytes) - filled, '\0');
  padding.front() = static_cast<char>(0x80);
  for (std::size_t i = 0; i != 8; ++i) padding[padding.size() - 1 - i] = static_cast<char>(bits >> 8 * i & 0xff);
  add(padding);
  digest made;
  for (std::size_t i = 0; i != made.size(); ++i) {
    made[i] = static_cast<unsigned char>(state_->hash[i / 4] >> (24 - 8 * (i % 4)) & 0xff);
  }
  return made;
}

sha256::digest hmac_sha256(std::string_view key, std::string_view message) {
  std::array<char, block_bytes> padded{};
  if (key.size() > block_bytes) {
    sha256 of_key;
    of_key.add(key);
    const sha256::digest shorter = of_key.end();
    std::memcpy(padded.data(), shorter.data(), shorter.size());
  } else {
    std::memcpy(padded.data(), key.data(), key.size());
  }
  const auto hash_behind = [&padded](char with, std::string_view bytes) {
    std::array<char, block_bytes> first = padded;
    for (char& each : first) each = static_cast<char>(each ^ with);
    sha256 made;
    made.add({first.data(), first.size()});
    made.add(bytes);
    return made.end();
  };
  const sha256::digest inner = hash_behind(0x36, message);
  return hash_behind(0x5c, {reinterpret_cast<const char*>(inner.data()), inner.size()});
}

}  // namespace weir::detail
