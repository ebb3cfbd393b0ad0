// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: left block sends items of another type than the right one takes
// expect: basic_string<char>
// expect: int
#include "weir/weir.hpp"

#include <optional>
#include <string>

#ifdef CONTROL
using item = std::string;
#else
using item = int;
#endif

int main() {
  weir::network net = weir::source([]() -> std::optional<std::string> { return {}; }) | weir::sink([](item) {});
}
