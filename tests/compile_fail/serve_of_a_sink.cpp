// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: weir: a block that serves takes one stream of items and sends one
#include <weir/serve/server.hpp>
#include <weir/weir.hpp>

int main() {
#ifdef CONTROL
  auto served = weir::serve(weir::node([](int item) { return item; }));
#else
  auto served = weir::serve(weir::sink([](int) {}));
#endif
}
