// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/graph/network_state.hpp"
#include "weir/detail/run/group_run.hpp"
#include "weir/run/group_member.hpp"
#include "weir/run/run.hpp"

#include "run/activation.hpp"
#include "run/compile.hpp"
#include "run/deadlock.hpp"
#include "run/pool.hpp"
#include "run/trace.hpp"

#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace weir::detail {

/// A network in the form that runs: its channels, its activations, and a pool if it has one of its
/// own. The network keeps it between runs, and the next run uses it again.
///
/// Shared by the threads that run activations, the thread that waits for the end, and threads that
/// cancel or ask for a report. The last activation to end unparks the waiter. From then on only the
/// waiter touches the channels, once `wait_until_unseen` has returned. Activations stay until the
/// next run, so `host::notify` from outside the network needs no lock: an activation that has ended
/// ignores it.
class execution final : public run_context, public kept_between_runs, private run_control, private watched_run {
 public:
  explicit execution(const run_options& options);
  ~execution();

  /// Returns the execution that `net` keeps, if it was made for the same options and the same
  /// graph; else a new one. If this process is one group of a cluster, it is the execution of the
  /// group's part.
  /// @throws graph_error if the graph can't work
  static std::unique_ptr<execution> of(network& net, const run_options& options);

  /// The graph that runs.
  const graph& what() const noexcept { return *graph_; }

  /// Begins a run.
  /// @throws node_error if a node can't be made; graph_error if the file of its trace can't be
  /// opened, or the other groups don't join
  void launch(network& net, const run_options& options, const trace_options& traced);

  /// Waits until every node has ended.
  void wait_for_all(const run_options& options) noexcept;

  // After `wait_for_all`, while no other thread calls any function:
  void note_end() noexcept;
  void write_trace() noexcept;
  /// Returns the report of the run. In a cluster, waits until the run has ended everywhere. After
  /// it, nothing can fail any more.
  report end_everywhere();
  void leave_group() noexcept;
  /// Destroys the items left in the channels, and resets the channels.
  void discard_rest() noexcept;

  /// In all groups. The caller then requests `stop_source` or `drain_source` without holding a
  /// lock.
  void cancel() noexcept;
  void drain() noexcept;

  /// Any thread, after `launch`.
  report make_report() const;

  /// The `node_error` to throw; null if no node has failed so far.
  std::exception_ptr problem() const noexcept;

  // run_context
  void fail(const std::string& path, std::exception_ptr problem) noexcept override;
  void one_ended() noexcept override;

 private:
  // run_control
  void fail_from_outside(std::exception_ptr problem) noexcept override;
  void cancel_from_outside() noexcept override { stop_and_tell(); }
  void drain_from_outside() noexcept override;

  // watched_run
  bool look() noexcept override;
  void act() noexcept override;

  bool keep_problem(const std::exception_ptr& problem) noexcept;
  void stop() noexcept;
  void stop_and_tell() noexcept;
  void end_sources() noexcept;
  behaviour& instance(network& net, node_id id);
  bool fits(const graph& g, const run_options& options) const noexcept;
  bool begin_in_group(network& net, const std::string& trace);
  void make_activations(network& net);
  void make_activation(network& net, const std::vector<node_id>& chain);
  void make_loops();
  std::unique_ptr<behaviour> make_end(const remote_end& end) const;
  bool ends_cut(node_id node) const noexcept;
  run_parts parts() const;
  group_report make_group_report() const;
  const loop* loop_around(const channel_description& c) const {
    return c.loop == no_loop ? nullptr : loops_[c.loop].get();
  }
  void start_all();
  void abort_launch(std::size_t launched);
  const activation* waited_for() const noexcept;
  void call_all() noexcept;
  void end_calls() noexcept;

  const weir::executor executor_;
  const std::size_t workers_;  // as requested
  const pinning pin_;
  const bool fuse_;
  const tuning tuned_;
  group_member* const member_;  // null: the run is not part of a cluster
  run_plan plan_;
  std::unique_ptr<group_run> group_;                 // set while the group runs
  std::vector<std::unique_ptr<behaviour>> of_cuts_;  // behaviours of remote ends and relays
  const graph* graph_ = nullptr;                     // the graph that runs: that of the plan, or the network's own
  bool is_part_ = false;                             // whether `cut` has made it, for a group or by hand
  std::uint64_t revision_ = 0;                       // revision of the network's graph
  std::unique_ptr<pool> own_pool_;
  pool* pool_ = nullptr;
  std::vector<std::unique_ptr<channel>> channels_;
  std::vector<std::unique_ptr<loop>> loops_;
  std::vector<std::unique_ptr<activation>> activations_;
  std::vector<running_node*> nodes_;        // by node number
  std::vector<activation*> activation_of_;  // by node number
  std::optional<deadlock_watch> watch_;     // set from the first look on
  std::optional<waiting_cycle> deadlock_;
  std::unique_ptr<trace> trace_;  // null: no trace was requested
  std::atomic<std::size_t> live_{0};
  static constexpr int not_running = -1000;  // far below 0, so that a late call does not make it 0
  std::atomic<int> calls_{not_running};      // number of calls to the senders of the pool in the current run
  parker end_;
  bool ended_ = true;
  mutable std::mutex problem_mutex_;
  std::exception_ptr problem_;
  std::chrono::steady_clock::time_point started_;
  std::chrono::steady_clock::time_point finished_;
  std::chrono::nanoseconds cpu_before_{0};
  std::chrono::nanoseconds cpu_after_{0};
};

}  // namespace weir::detail
