// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../harness.hpp"

#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <thread>

namespace weir_bench {

/// A library whose operations take a millisecond each: Asio timers, in one thread of their own.
class timers {
 public:
  ~timers() {
    busy_.reset();
    thread_.join();
  }

  asio::io_context& context() noexcept { return context_; }

  /// An operation that ends after a millisecond, and then calls `ended` in the thread of the
  /// library.
  class operation {
   public:
    explicit operation(timers& of) : timer_(of.context_, std::chrono::milliseconds(1)) {}
    template <class Ended>
    void then(Ended ended) {
      timer_.async_wait([ended](const asio::error_code&) { ended(); });
    }

   private:
    asio::steady_timer timer_;
  };

 private:
  asio::io_context context_{1};
  asio::executor_work_guard<asio::io_context::executor_type> busy_{context_.get_executor()};
  std::thread thread_{[this] { context_.run(); }};
};

/// Reads the arguments, warms up, and measures `run(items, at_once)`, which returns the time it
/// took.
template <class Run>
int waits_main(int argc, char** argv, const char* contender, Run&& run) {
  const options given(argc, argv, {{"items", 100'000}, {"at_once", 100}});
  run(given["items"] / 10, given["at_once"]);
  const duration took = run(given["items"], given["at_once"]);
  print_result("waits", contender, given["items"], took);
  return 0;
}

}  // namespace weir_bench
