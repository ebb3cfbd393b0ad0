// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace extsort {

/// Numbers that groups tell each other.
struct numbers {
  std::vector<std::uint64_t> values;
};

/// A record, by its key, its group and its place there: no two compare equal.
struct splitter {
  std::uint64_t group = 0;
  std::uint64_t place = 0;
  std::string record;
};

/// Splitters that groups tell each other.
struct splitters {
  std::uint64_t stands_for = 0;  ///< bytes that each of them does
  std::vector<splitter> all;
};

}  // namespace extsort
