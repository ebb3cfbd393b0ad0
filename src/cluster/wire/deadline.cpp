// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/wire/deadline.hpp"

namespace weir::cluster {

void act_after(const asio::any_io_executor& executor, std::chrono::milliseconds time, std::function<void()> act) {
  auto timer = std::make_shared<asio::steady_timer>(executor, time);
  timer->async_wait([timer, act = std::move(act)](std::error_code cancelled) {
    if (!cancelled) act();
  });
}

}  // namespace weir::cluster
