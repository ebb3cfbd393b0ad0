// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Blocks, networks and runs are values: a statement that drops one does nothing.
// expect: farm.named("work");
// expect: weir::start(net);
// expect: source | farm | sink;
#include <weir/weir.hpp>

#pragma GCC diagnostic error "-Wunused-result"

int main() {
  const auto farm = weir::farm([](int item) { return item; }, 2);
  const auto source = weir::source([]() -> std::optional<int> { return std::nullopt; });
  const auto sink = weir::sink([](int) {});
  weir::network net = source | farm | sink;
#ifdef CONTROL
  const auto named = farm.named("work");
  weir::running now = weir::start(net);
  weir::run(source | named | sink);
#else
  farm.named("work");
  weir::start(net);
  source | farm | sink;
#endif
}
