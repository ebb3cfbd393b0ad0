// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../harness.hpp"

#include <cstdint>

namespace weir_bench {

/// The i-th of many orders: its customer, and its amount.
struct order {
  std::uint64_t customer;
  std::int64_t amount;
};
inline order order_of(std::int64_t i, std::uint64_t customers) noexcept {
  const std::uint64_t mixed = (static_cast<std::uint64_t>(i) + 1) * 0x9E37'79B9'7F4A'7C15;
  return {(mixed >> 32) % customers, i % 100};
}

inline options map_reduce_options(int argc, char** argv) {
  return options(argc, argv, {{"items", 10'000'000}, {"customers", 10'000}});
}

/// The total that all sums must have.
inline std::int64_t total_of(std::int64_t items) noexcept {
  return items / 100 * 4950 + (items % 100) * (items % 100 - 1) / 2;
}

}  // namespace weir_bench
