// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/cluster/member.hpp"
#include "weir/detail/graph/process.hpp"
#include "weir/graph/graph.hpp"

#include "cluster/member/clock_comparison.hpp"
#include "cluster/member/cluster_settings.hpp"
#include "cluster/member/dialer.hpp"
#include "cluster/member/peers.hpp"
#include "cluster/member/session_status.hpp"
#include "cluster/protocol/messages.hpp"
#include "cluster/wire/connection.hpp"
#include "cluster/wire/meeting.hpp"

#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace weir::cluster {

class member_run;
class mpi_process;

/// The part that a group takes in a cluster while its process lives: the connection to the
/// coordinator, whose messages it obeys, the connections to other groups, and the run under way.
///
/// **Threads.** `io_` runs on one thread, and only this thread is called by the connections. The
/// lock of `status_` guards all state that runs read. Any other thread may call the public
/// functions.
class membership {
 public:
  /// Connects, and waits until all groups are connected. @throws graph_error
  membership(std::string name, std::string coordinator, std::string secret, const cluster_member_options& options);
  ~membership();
  membership(const membership&) = delete;
  membership& operator=(const membership&) = delete;

  const std::string& name() const noexcept { return name_; }
  std::size_t cores() const noexcept { return settings_.cores; }
  const std::vector<planned_group>& groups() const noexcept { return settings_.groups; }
  /// @throws graph_error
  void assign_groups(graph& whole);
  /// Largest number of items in a frame that this group sends.
  std::uint64_t frame_items() const noexcept { return settings_.frame_items; }
  /// Largest number of frames that it has under way in one channel.
  std::uint64_t frames_under_way() const noexcept { return settings_.frames_under_way; }

  /// Whether a watcher must be told of the end of a run: from the beginning, or since the first
  /// question.
  bool watched() const noexcept { return watched_.load(std::memory_order_relaxed); }
  std::mutex& mutex() noexcept { return status_.mutex(); }
  /// Whether the user who started the cluster requested traces of its runs.
  bool traced() const noexcept { return settings_.traced; }
  /// Number of this group, from 0.
  std::size_t number() const noexcept { return settings_.number; }
  /// Asks the coordinator several times for its time. @return the best answer @throws group_error
  clock_comparison compare_clocks();

  /// Returns the number of the run that begins.
  std::uint32_t next_run() noexcept { return ++runs_; }
  void enter(member_run& run);
  /// After this, no thread calls the run.
  void leave();

  /// Returns the connection to a group, and makes it if necessary. @throws group_error
  std::shared_ptr<connection> peer(const std::string& group) { return peers_.at(group); }

  /// Sends a message to the coordinator.
  void say(const to_coordinator::any& message) noexcept;

  /// Waits until `is` returns true. `is` is called under the lock.
  /// @throws group_error if there is a failure first
  void wait_until(const std::function<bool()>& is) { status_.wait_until(is); }

 private:
  membership(std::string name, std::string coordinator, const credentials& own, const cluster_member_options& options);

  dialer::target coordinator_target() const;
  void connect_to_coordinator();
  void use_coordinator(met_peer met);
  void hear_peer(arrived_frame& what);
  std::string ends_of(const connection::channel_of_run& channel);
  void obey(to_group::welcome&& all);
  void obey(to_group::go&& message);
  void obey(to_group::time&& message);
  void obey(to_group::note&& message);
  void obey(to_group::compare&& message);
  void obey(to_group::ask&& message);
  void obey(to_group::close&& message);
  void obey(to_group::stop&& message);
  void obey(to_group::cancel&& message);
  void obey(to_group::drain&& message);
  void obey(to_group::signal&& message);
  void obey(to_group::standstill&& message);
  void obey(to_group::end_some&& message);
  void obey(to_group::sample&& message);
  void obey(to_group::report&& message);
  void obey(to_group::end&& message);
  member_run* run_of(std::uint32_t number) const noexcept;
  void watch_progress();
  void fail(const std::exception_ptr& problem);
  void stop_if_all_are_closed();
  void end();
  void end_process_without_coordinator();
  void refuse_configuration(const std::vector<graph_error>& wrong);

  const detail::process_mark made_;
  const std::string name_;
  const std::string coordinator_;
  const cluster_member_options options_;
  asio::io_context io_{1};
  const asio::executor_work_guard<asio::io_context::executor_type> work_;
  session_status status_;
  dialer calls_;
  peers peers_;
  // I/O thread:
  connection_limits limits_;
  bool leaving_ = false;
  bool control_is_open_ = false;
  std::uint32_t runs_ = 0;

  // Written before the constructor returns:
  std::shared_ptr<connection> control_;
  cluster_settings settings_;
  std::shared_ptr<mpi_process> mpi_;

  std::atomic<bool> watched_{false};  // written by the I/O thread; publishes no other memory

  // Under the lock of `status_`:
  bool welcomed_ = false;
  member_run* run_ = nullptr;
  std::optional<clock_comparison> compared_;  // the last answer

  std::thread thread_;
};

}  // namespace weir::cluster
