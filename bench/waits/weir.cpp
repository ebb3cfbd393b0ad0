// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/blocks/async.hpp>

#include "../weir_parts.hpp"
#include "operations.hpp"

#include <coroutine>
#include <cstddef>

using namespace weir_bench;

namespace {

// Created in the coroutine's frame, so that the operation lives as long as it is awaited.
struct wait {
  timers::operation under_way;

  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiting) {
    under_way.then([waiting] { waiting.resume(); });
  }
  void await_resume() const noexcept {}
};

}  // namespace

int main(int argc, char** argv) {
  return waits_main(argc, argv, "weir", [](std::int64_t items, std::int64_t at_once) {
    timers library;
    std::int64_t count = 0;
    std::int64_t sum = 0;
    const auto answer = [&library](std::int64_t item) -> weir::coroutine<std::int64_t> {
      co_await wait{timers::operation(library)};
      co_return item + 1;
    };
    const duration took =
        timed_run(weir::source(counting_source{items}) | weir::async(answer, static_cast<std::size_t>(at_once)) |
                      weir::sink(adding_sink{&count, &sum}),
                  {});
    verify("count", count, items);
    verify("sum", sum, items * (items - 1) / 2 + items);
    return took;
  });
}
