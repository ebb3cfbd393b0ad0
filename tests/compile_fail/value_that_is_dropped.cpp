// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Blocks, networks and runs are values: a statement that drops one does nothing. One that drops
// what `try_send` returns may lose the item.
// expect: farm.named("work");
// expect: weir::start(net);
// expect: source | farm | sink;
// expect: out.try_send(item);
#include <weir/weir.hpp>

#pragma GCC diagnostic error "-Wunused-result"

int main() {
  const auto farm = weir::farm([](int item) { return item; }, 2);
  const auto source = weir::source([]() -> std::optional<int> { return std::nullopt; });
  const auto sink = weir::sink([](int) {});
  weir::network net = source | farm | sink;
  const auto tries = weir::node([](int item, weir::outlet<int>& out) {
#ifdef CONTROL
    if (out.try_send(item)) out.send(0);
#else
    out.try_send(item);
#endif
  });
  static_cast<void>(tries);
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
