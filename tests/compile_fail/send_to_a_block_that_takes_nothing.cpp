// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: constraints not satisfied
#include <weir/serve/accelerator.hpp>
#include <weir/weir.hpp>

#include <optional>

int main() {
  auto running = weir::start(weir::source([]() -> std::optional<int> { return std::nullopt; }));
#ifdef CONTROL
  running.receive();
#else
  running.send({});
#endif
}
