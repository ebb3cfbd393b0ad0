// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/cluster/coordinator.hpp"
#include "weir/graph/graph.hpp"

#include "cluster/coordinator/loop_wave.hpp"
#include "cluster/coordinator/roster.hpp"
#include "cluster/coordinator/standstill_watch.hpp"
#include "cluster/protocol/messages.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>

namespace weir::cluster {

/// Watches the run under way: finds the end of loops that lie in several groups (see loop_wave),
/// and that no group can go on (see standstill_watch), and gives all orders that may wake nodes.
/// One thread.
class run_watch {
 public:
  /// @param after calls a function when the time is up
  /// @param fail called when the run stands still for good
  run_watch(const roster& groups, std::function<void(std::chrono::milliseconds, std::function<void()>)> after,
            std::function<void(const cluster_failure&)> fail);

  /// A run begins. @param loops each with the groups that it has parts in
  void begin(std::uint32_t run, std::map<loop_id, std::set<std::string>> loops);

  // Messages of a group. Those about other runs are ignored. @throws protocol_error
  void hear(const member& from, const to_coordinator::quiet& message);
  void hear(const member& from, const to_coordinator::noted& message);
  void hear(const member& from, const to_coordinator::compared& message);
  void hear(const member& from, const to_coordinator::answered& message);
  void hear(const member& from, const to_coordinator::still& message);
  void hear(const member& from, to_coordinator::standstill&& message);

  /// The group's part of the run has ended.
  void done(const member& who);
  /// Orders all groups, except one, to do something that may wake nodes.
  void order(const to_group::any& message, const member* but);

 private:
  loop_wave* wave_of(const member& from, const about_loop& message);
  void act(const loop_wave& wave, loop_id id, loop_wave::order next);
  void act(standstill_watch::order what);

  const roster& groups_;
  const std::function<void(std::chrono::milliseconds, std::function<void()>)> after_;
  const std::function<void(const cluster_failure&)> fail_;
  std::uint32_t run_ = 0;
  std::map<loop_id, loop_wave> loops_;
  standstill_watch standstill_;
  std::uint64_t orders_ = 0;       // number of orders that may have woken nodes
  std::uint64_t orders_then_ = 0;  // `orders_` when all were last asked whether they stand still
};

}  // namespace weir::cluster
