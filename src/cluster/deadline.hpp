// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>

#include <chrono>
#include <memory>
#include <system_error>

namespace weir::cluster {

/// Closes a socket when the time is up, unless this is destroyed before. I/O thread.
class deadline {
 public:
  deadline(asio::ip::tcp::socket& of, std::chrono::milliseconds patience) : timer_(of.get_executor(), patience) {
    timer_.async_wait([&of, alive = std::weak_ptr(alive_)](std::error_code cancelled) {
      if (cancelled || alive.expired()) return;
      std::error_code none;
      of.close(none);
    });
  }

 private:
  std::shared_ptr<int> alive_ = std::make_shared<int>();
  asio::steady_timer timer_;
};

}  // namespace weir::cluster
