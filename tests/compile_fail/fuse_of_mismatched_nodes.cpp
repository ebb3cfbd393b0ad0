// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: left block sends items of another type than the right one takes
// expect: basic_string<char>
// expect: int
#include "weir/weir.hpp"

#include <string>

#ifdef CONTROL
using item = std::string;
#else
using item = int;
#endif

int main() {
  auto both = weir::fuse([](double d) { return std::to_string(d); }, [](item) { return 1; });
}
