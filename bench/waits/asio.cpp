// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "operations.hpp"

#include <asio/awaitable.hpp>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/use_awaitable.hpp>

#include <future>
#include <memory>

using namespace weir_bench;

namespace {

// All operations run in the thread of the library, so they share their counters without a lock.
struct counters {
  std::int64_t items;
  std::int64_t at_work;
  std::int64_t made = 0;
  std::int64_t sum = 0;
  std::promise<void> ended;
};

asio::awaitable<void> one_after_the_other(counters& all, asio::io_context& context) {
  while (all.made != all.items) {
    const std::int64_t item = all.made++;
    asio::steady_timer timer(context, std::chrono::milliseconds(1));
    co_await timer.async_wait(asio::use_awaitable);
    all.sum += item + 1;
  }
  if (--all.at_work == 0) all.ended.set_value();
}

}  // namespace

// Each coroutine takes one item after the other, as in a program that uses Asio alone.
int main(int argc, char** argv) {
  return waits_main(argc, argv, "asio", [](std::int64_t items, std::int64_t at_once) {
    counters all{items, at_once, 0, 0, {}};
    timers library;
    const stopwatch watch;
    asio::post(library.context(), [&] {
      for (std::int64_t i = 0; i != at_once; ++i) {
        asio::co_spawn(library.context(), one_after_the_other(all, library.context()), asio::detached);
      }
    });
    all.ended.get_future().wait();
    const duration took = watch.elapsed();
    verify("sum", all.sum, items * (items - 1) / 2 + items);
    return took;
  });
}
