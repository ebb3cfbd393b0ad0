// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../harness.hpp"

#include <cstddef>
#include <cstdint>

namespace weir_bench {

/// An artificial reading of one of many sensors. It is computed from its number, so that each
/// contender has the same readings.
struct reading {
  std::uint32_t sensor;
  std::int32_t value;
};

inline reading reading_of(std::int64_t number, std::uint32_t sensors) noexcept {
  const std::uint64_t mixed = (static_cast<std::uint64_t>(number) + 1) * 0x9E3779B97F4A7C15ULL;
  return {static_cast<std::uint32_t>((mixed >> 40) % sensors), static_cast<std::int32_t>(mixed >> 50)};
}

/// A checksum over all windows, which does not depend on their order.
struct checksum {
  std::int64_t windows = 0;
  std::uint64_t sum = 0;
  void add(std::uint32_t sensor, std::int64_t total) noexcept {
    ++windows;
    sum += static_cast<std::uint64_t>(total) * (sensor + 1);
  }
  /// A double holds this value exactly.
  double result() const noexcept {
    return static_cast<double>((sum ^ static_cast<std::uint64_t>(windows)) % (1U << 20));
  }
};

/// The numbers on the command line, and their defaults.
inline options windows_options(int argc, char** argv) {
  return options(
      argc, argv,
      {{"items", 10'000'000}, {"sensors", 1000}, {"size", 100}, {"slide", 10}, {"workers", 0}, {"threads", 0}});
}

}  // namespace weir_bench
