// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: weir: farm copies its worker, and this one can't be copied: give it a factory
#include <weir/weir.hpp>

#include <mutex>
#include <optional>

struct worker {
  std::mutex mutex;
  int process(int item) { return item; }
};

int main() {
  weir::network net = weir::source([]() -> std::optional<int> { return std::nullopt; }) |
#ifdef CONTROL
                      weir::farm([] { return worker{}; }, 2) |
#else
                      weir::farm(worker{}, 2) |
#endif
                      weir::sink([](int) {});
}
