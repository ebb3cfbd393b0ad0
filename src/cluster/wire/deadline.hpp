// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <asio/any_io_executor.hpp>
#include <asio/steady_timer.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <system_error>
#include <utility>

namespace weir::cluster {

/// Calls a function when the time is up, unless this is destroyed before. I/O thread.
class deadline {
 public:
  deadline(asio::any_io_executor executor, std::chrono::milliseconds patience, std::function<void()> act)
      : timer_(std::move(executor), patience) {
    timer_.async_wait([act = std::move(act), alive = std::weak_ptr(alive_)](std::error_code cancelled) {
      if (!cancelled && !alive.expired()) act();
    });
  }

 private:
  std::shared_ptr<int> alive_ = std::make_shared<int>();
  asio::steady_timer timer_;
};

/// Calls `act` when the time is up, on a thread of the executor; not if the executor is stopped
/// before.
void act_after(const asio::any_io_executor& executor, std::chrono::milliseconds time, std::function<void()> act);

}  // namespace weir::cluster
