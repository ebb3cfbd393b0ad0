// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>

namespace weir {

/// A generator of random 64-bit numbers, for the distributions of `<random>`. It is small and cheap
/// to seed, so that each piece of parallel work can have its own. Two engines made with the same
/// keys give the same numbers on every machine. A value type; not for cryptography.
///
///     weir::random_engine random(seed, generation, i);   // for the i-th piece of work, on any worker
///
/// Source: xoshiro256++, D. Blackman and S. Vigna, Scrambled Linear Pseudorandom Number Generators,
/// 2021; its state comes from the keys by SplitMix64, G. Steele, D. Lea and C. Flood, Fast
/// Splittable Pseudorandom Number Generators, 2014.
class random_engine {
 public:
  using result_type = std::uint64_t;

  /// Seeds the engine. Different keys, or the same keys in another order, give independent numbers.
  template <std::convertible_to<std::uint64_t>... Key>
    requires(sizeof...(Key) != 0)
  explicit constexpr random_engine(Key... key) noexcept {
    std::uint64_t seed = sizeof...(Key);
    ((seed = mixed(seed ^ mixed(static_cast<std::uint64_t>(key) + golden))), ...);
    for (std::uint64_t& each : state_) each = mixed(seed += golden);
  }

  static constexpr result_type min() noexcept { return 0; }
  static constexpr result_type max() noexcept { return std::numeric_limits<result_type>::max(); }

  constexpr result_type operator()() noexcept {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  friend constexpr bool operator==(const random_engine&, const random_engine&) noexcept = default;

 private:
  static constexpr std::uint64_t golden = 0x9e37'79b9'7f4a'7c15;

  static constexpr std::uint64_t mixed(std::uint64_t z) noexcept {
    z = (z ^ (z >> 30)) * 0xbf58'476d'1ce4'e5b9;
    z = (z ^ (z >> 27)) * 0x94d0'49bb'1331'11eb;
    return z ^ (z >> 31);
  }

  std::array<std::uint64_t, 4> state_{};
};

}  // namespace weir
