// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: weir: what follows '|' is no block, and can't be called with an item of the type that the left block sends
#include <weir/weir.hpp>

#include <optional>

class worker {
#ifdef CONTROL
 public:
#endif
  int process(int item) { return item; }
};

int main() {
  weir::network net =
      weir::source([]() -> std::optional<int> { return std::nullopt; }) | worker{} | weir::sink([](int) {});
}
