// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: the mapping function of map_reduce is (In, weir::pair_outlet<Key, Value>&) -> void
#include "weir/patterns/map_reduce.hpp"

#ifdef CONTROL
using pairs = weir::pair_outlet<int, long>;
#else
using pairs = weir::outlet<std::pair<int, long>>;
#endif

int main() {
  auto counts = weir::map_reduce([](int, pairs&) {}, [](long& total, long value) { total += value; });
}
