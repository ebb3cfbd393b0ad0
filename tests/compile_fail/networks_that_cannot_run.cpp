// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// expect: weir: this block sends items (their type is named above), and nothing takes them: put a sink behind it
// expect: weir: this block takes items (their type is named above), and nothing sends it any: put a source before it
// expect: weir: start takes a network that outlives the run, and this one is a temporary: give it a name
#include <weir/weir.hpp>

#include <optional>

int main() {
  const auto source = weir::source([]() -> std::optional<int> { return std::nullopt; });
  const auto same = weir::node([](int item) { return item; });
  const auto sink = weir::sink([](int) {});
#ifdef CONTROL
  weir::run(source | same | sink);
  weir::network whole = source | same | sink;
  auto now = weir::start(whole);
#else
  weir::run(source | same);
  weir::network whole = same | sink;
  auto now = weir::start(source | sink);
#endif
  now.wait();
}
