// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: by_key needs a function of the item
#include "weir/weir.hpp"

#include <string>

#ifdef CONTROL
using item = int;
#else
using item = std::string;
#endif

int main() {
  auto workers = weir::farm(weir::node([](int n) { return n; }), 2).by_key([](const item& key) { return key; });
}
