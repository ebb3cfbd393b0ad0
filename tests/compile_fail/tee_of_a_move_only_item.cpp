// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: weir: tee copies its items, and this type can't be copied

#include "weir/weir.hpp"

#include <memory>

#ifdef CONTROL
using item = int;
#else
using item = std::unique_ptr<int>;
#endif

int main() {
  weir::tee(weir::sink([](item) {}), weir::sink([](item) {}));
}
