// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace extsort {

/// Numbers that groups send each other.
struct numbers {
  std::vector<std::uint64_t> values;
};

/// A record with its group and its place there, for an order in which no two are equal.
struct splitter {
  std::uint64_t group = 0;
  std::uint64_t place = 0;
  std::string record;
};

/// Splitters that groups send each other.
struct splitters {
  std::uint64_t stands_for = 0;  ///< bytes that each splitter represents
  std::vector<splitter> all;
};

}  // namespace extsort
