// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/cluster/configuration.hpp"
#include "weir/cluster/coordinator.hpp"

#include "cluster/coordinator/blame.hpp"
#include "cluster/coordinator/live_access.hpp"
#include "cluster/coordinator/roster.hpp"
#include "cluster/coordinator/run_barrier.hpp"
#include "cluster/coordinator/run_traces.hpp"
#include "cluster/coordinator/run_watch.hpp"
#include "cluster/protocol/messages.hpp"
#include "cluster/wire/connection.hpp"
#include "cluster/wire/listener.hpp"
#include "cluster/wire/meeting.hpp"

#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace weir::cluster {

/// The coordinator at work: accepts the groups, passes each message to the part that it is for, and
/// ends when all groups have left.
///
/// **Threads.** The public functions may be called by any thread but its own. All else runs on its
/// thread. Handlers that wait in the I/O context are destroyed with it, and not called after its
/// thread has ended.
class session {
 public:
  /// As the constructor of `coordinator`.
  session(cluster_configuration configuration, std::string secret, bool loopback_only, std::uint16_t port);
  session(const session&) = delete;
  session& operator=(const session&) = delete;

  void begin();
  /// Waits until all groups have received the last messages.
  void end();

  // As those of `coordinator`:
  std::uint16_t port() const noexcept { return port_; }
  void process_ended(const std::string& group, const std::string& how);
  void let_be_watched(const std::string& program);
  void write_traces();
  void cancel();
  bool signal(const std::string& group, int number);
  std::optional<cluster_failure> failure() const { return blame_.failure(); }
  bool nobody_came() const noexcept { return blame_.nobody_came(); }
  std::string result_group() const;

 private:
  // These take functions of one type, so that Asio's templates are instantiated once.
  void later(std::function<void()> act);
  void on_thread(const std::function<void()>& act);
  void after(std::chrono::milliseconds time, std::function<void()> act);
  void when_patience_is_over(std::chrono::milliseconds time, std::function<void()> act);

  void note_end(member& of, const std::string& how, const std::shared_ptr<std::promise<void>>& noted);
  void judge_end(member& of);
  std::shared_ptr<connection> connection_of(const introduction& who) const;
  void be_connected(met_peer met);
  void lost(member& who, const std::string& why, loss_cause cause);
  void stop_if_all_have_left();

  void hear(member& from, to_coordinator::any what);
  void obey(member& from, to_coordinator::here&& message);
  void obey(member& from, to_coordinator::misfit&& message);
  void obey(member& from, to_coordinator::ready&& message);
  void obey(member& from, to_coordinator::failed&& message);
  void obey(member& from, to_coordinator::lost&& message);
  void obey(member& from, to_coordinator::cancel&& message);
  void obey(member& from, to_coordinator::drain&& message);
  void obey(member& from, to_coordinator::time&& message);
  void obey(member& from, to_coordinator::trace&& message);
  void obey(member& from, to_coordinator::traced&& message);
  void obey(member& from, to_coordinator::sampled&& message);
  void obey(member& from, to_coordinator::report&& message);
  void obey(member& from, to_coordinator::done&& message);
  template <class Message>  // about loops, and standstills
  void obey(member& from, Message&& message) {
    watch_.hear(from, std::forward<Message>(message));
  }

  void begin_if_ready();

  const cluster_configuration configuration_;
  const credentials own_;
  connection_limits limits_;
  asio::io_context context_{1};
  listener listener_;
  asio::steady_timer patience_;
  std::uint16_t port_ = 0;
  bool leaving_ = false;
  roster groups_;
  blame blame_;
  run_barrier barrier_;
  run_watch watch_;
  run_traces traces_;
  live_access live_;
  mutable std::mutex mutex_;  // guards the next member
  std::string result_group_;
  std::thread thread_;
};

}  // namespace weir::cluster
