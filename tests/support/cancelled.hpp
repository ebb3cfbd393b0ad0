// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "networks.hpp"

#include <atomic>
#include <thread>

namespace weir_test {

/// Runs `work(inside)` within a node, and cancels the run as soon as `work` has set `inside`. If
/// `work` never ends, this function does not return.
/// @return whether `work` ended with `weir::stopped`
template <class Work>
bool is_stopped_when_cancelled(const weir::run_options& options, Work work) {
  std::atomic<bool> inside{false};
  std::atomic<bool> was_stopped{false};
  weir::network net = numbers(1) | weir::sink([&](long) {
                        try {
                          work(inside);
                        } catch (const weir::stopped&) {
                          was_stopped = true;
                          throw;
                        }
                      });
  weir::running handle = weir::start(net, options);
  while (!inside) std::this_thread::yield();
  handle.cancel();
  handle.wait();
  return was_stopped;
}

}  // namespace weir_test
