// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: weir: the left block sends items of another type than the right one takes

#include "weir/weir.hpp"

#ifdef CONTROL
using back = int;
#else
using back = double;
#endif

int main() {
  weir::feedback(weir::farm([](int, weir::outlet<int>&, weir::outlet<back>&) {}, 2));
}
