// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: the left block sends items of another type
#include "weir/io/collect.hpp"
#include "weir/io/from.hpp"

#include <string>
#include <vector>

#ifdef CONTROL
using item = int;
#else
using item = std::string;
#endif

int main() {
  std::vector<item> out;
  auto whole = weir::from({1, 2, 3}) | weir::collect(out);
}
