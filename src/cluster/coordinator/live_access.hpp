// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/coordinator/live_cluster.hpp"
#include "cluster/coordinator/roster.hpp"

#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace weir::cluster {

/// Lets watchers see the cluster (see live_cluster): at once, at the socket that the environment
/// names, or as soon as one calls this process. The coordinator's thread, except `stop`.
class live_access {
 public:
  /// @param on_thread calls a function on the coordinator's thread, and waits for it; any thread
  live_access(asio::io_context& context, const roster& groups,
              std::function<void(const std::function<void()>&)> on_thread);

  /// @param place socket; empty: wait for calls. @throws graph_error
  void begin(const std::string& place, const std::string& program);
  /// Any other thread, while the coordinator's still runs.
  void stop();

  bool is_on() const noexcept { return shown_ != nullptr; }
  /// Groups are asked from now on. @param cores number of all machines together
  void groups_are_here(std::size_t cores) noexcept { cores_ = cores; }
  void hear(const member& from, to_coordinator::sampled&& message);

 private:
  void listen_at(const std::string& place, const std::string& program);
  void wait_for_calls(const std::string& program);
  live_cluster::asked ask_all(const to_group::sample& question);

  asio::io_context& context_;
  const roster& groups_;
  const std::function<void(const std::function<void()>&)> on_thread_;
  std::shared_ptr<live_cluster> shown_;      // null: watching is not possible yet
  std::optional<asio::steady_timer> calls_;  // until a call has come
  std::size_t cores_ = 0;                    // 0: not known yet
};

}  // namespace weir::cluster
