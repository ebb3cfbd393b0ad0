// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/cluster/member.hpp"
#include "weir/detail/passes/assign_groups.hpp"
#include "weir/detail/passes/plan.hpp"
#include "weir/graph/graph.hpp"

#include "cluster/clock_comparison.hpp"
#include "cluster/connection.hpp"
#include "cluster/handshake.hpp"
#include "cluster/listener.hpp"
#include "cluster/meeting.hpp"
#include "cluster/messages.hpp"

#include <asio/awaitable.hpp>
#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace weir::cluster {

class member_run;
class mpi_process;

/// The state that a group shares with the other groups while its process lives: the connections to
/// the coordinator and to the groups that it shares channels with, and the run under way.
///
/// **Threads.** `io_` runs on one thread, and only this thread is called by the connections.
/// `mutex_` guards all state that runs read. Any other thread may call the public functions.
class membership {
 public:
  /// Connects, and waits until all groups are connected. @throws graph_error
  membership(std::string name, std::string coordinator, std::string secret, const cluster_member_options& options);
  ~membership();
  membership(const membership&) = delete;
  membership& operator=(const membership&) = delete;

  const std::string& name() const noexcept { return name_; }
  std::size_t cores() const noexcept { return cores_; }
  const std::vector<planned_group>& groups() const noexcept { return all_; }
  /// @throws graph_error
  void assign_groups(graph& whole);
  /// Largest number of items in a frame that this group sends.
  std::uint64_t frame_items() const noexcept { return frame_items_; }
  /// Largest number of frames that it has under way in one channel.
  std::uint64_t frames_under_way() const noexcept { return frames_under_way_; }

  /// Whether a watcher must be told of the end of a run: from the beginning, or since the first
  /// question.
  bool watched() const noexcept { return watched_.load(std::memory_order_relaxed); }
  std::mutex& mutex() noexcept { return mutex_; }
  /// Whether the user who started the cluster requested traces of its runs.
  bool traced() const noexcept { return traced_; }
  /// Number of this group, from 0.
  std::size_t number() const noexcept { return number_; }
  /// Asks the coordinator several times for its time. @return the best answer @throws group_error
  clock_comparison compare_clocks();

  /// Returns the number of the run that begins.
  std::uint32_t next_run() noexcept { return ++runs_; }
  void enter(member_run& run);
  /// After this, no thread calls the run.
  void leave();

  /// Returns the connection to a group, and makes it if necessary. The group whose name comes first
  /// in the alphabet connects to the other.
  /// @throws group_error
  std::shared_ptr<connection> peer(const std::string& group);

  /// Sends a message to the coordinator.
  void say(const to_coordinator::any& message) noexcept;

  /// Waits until `is` returns true. `is` is called under the lock.
  /// @throws group_error if there is a failure first
  void wait_until(const std::function<bool()>& is);

 private:
  struct group_address {
    std::string host;
    std::string named_host;  // as the configuration names it
    std::uint16_t port = 0;
    transport_kind kind = transport_kind::tcp;  // to be used if possible; needed if `must_be_that`
    bool must_be_that = false;
    bool is_here = false;  // on this machine
  };

  asio::awaitable<void> connect_to_coordinator();
  asio::awaitable<void> connect_to(std::string group);
  std::pair<std::string, std::string> host_and_port_of(const std::string& who) const;
  std::string circumstances(connection& of, const asio::ip::tcp::endpoint& there);
  asio::awaitable<met_peer> call(std::string who, terms_for say, std::chrono::milliseconds patience);
  asio::awaitable<void> connect_again(std::string who, std::shared_ptr<connection> broken);
  void listen(const asio::ip::address& at);
  std::shared_ptr<connection> peer_that_calls(const introduction& who);
  void add_peer(met_peer met);
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
  void let_others_call();
  void watch_progress();
  void fail(const std::exception_ptr& problem);
  void left();
  void end();
  void end_process_without_coordinator();
  void refuse_configuration(const std::vector<graph_error>& wrong);

  const std::string name_;
  const std::string coordinator_;
  const credentials own_;
  const cluster_member_options options_;
  connection_limits limits_;
  asio::io_context io_{1};
  const asio::executor_work_guard<asio::io_context::executor_type> work_;
  listener listener_;
  // I/O thread:
  bool leaving_ = false;
  std::size_t open_ = 0;  // number of connections
  std::uint32_t runs_ = 0;

  // Written before the constructor returns:
  std::shared_ptr<connection> control_;
  std::map<std::string, group_address> groups_;
  std::vector<group_selection> selections_;
  std::vector<planned_group> all_;
  bool plans_ = false;
  std::size_t cores_ = 1;
  std::atomic<bool> watched_{false};  // later also written by the I/O thread; publishes no other memory
  bool traced_ = false;
  std::size_t number_ = 0;
  std::uint64_t frame_items_ = 0;
  std::uint64_t frames_under_way_ = 0;
  bool joins_mpi_ = false;
  std::shared_ptr<mpi_process> mpi_;
  std::chrono::milliseconds stalled_after_{};
  bool checksums_ = false;                            // also on this machine
  std::map<std::string, std::size_t> channel_items_;  // by group; not contained: by size

  std::mutex mutex_;  // guards the members that follow
  std::condition_variable changed_;
  bool welcomed_ = false;
  std::set<std::string> connecting_;
  std::map<std::string, std::shared_ptr<connection>> peers_;
  std::exception_ptr failure_;
  member_run* run_ = nullptr;
  std::optional<clock_comparison> compared_;  // the last answer

  std::thread thread_;
};

}  // namespace weir::cluster
