// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/parker.hpp"
#include "weir/detail/ports/host.hpp"
#include "weir/graph/graph.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace weir {

/// One request on its way, but for the type of its result. Shared by its reply and, until it is
/// resolved, by the network.
///
/// **States.** *Open*; *awaited*: something is to be called when it is resolved; *resolved*: there
/// is a result, or there never will be. `after_` is null, the address of what is to be called, or
/// `resolved`. Whoever exchanges or compares it synchronizes with (acquire, release) the one
/// before, so the result is visible to whoever finds it resolved.
class request {
 public:
  /// What is to be done when a request is resolved. Once, on any thread.
  struct continuation {
    void (*call)(continuation& self);
    bool brief;  ///< never blocks and runs none of the users' code
  };

  request() = default;
  request(const request&) = delete;
  request& operator=(const request&) = delete;

  bool is_resolved() const noexcept { return after_.load(std::memory_order_acquire) == resolved(); }
  /// Sleeps until it is, or `until` has come, or, in a node, the run of that is cancelled or fails.
  /// One thread at a time.
  /// @param until null: no time limit
  /// @return whether it is
  bool wait(const std::chrono::steady_clock::time_point* until) noexcept;

  /// Has `next` called when it is resolved.
  /// @return false if it is already, and nothing will be called
  bool then(continuation& next) noexcept;

  /// @return what is to be called now, or null
  continuation* resolve() noexcept;

  /// The error of the node that threw with it in hand; written before `resolve`. Null: none did.
  std::exception_ptr problem;

 protected:
  ~request() = default;

 private:
  static continuation* resolved() noexcept;

  std::atomic<continuation*> after_{nullptr};
  std::atomic<bool> done_{false};
  parker waiting_;
};

/// A request, and the result of it.
template <class T>
class request_for final : public request {
 public:
  std::optional<T> result;  ///< written before `resolve`; empty after it: there is none
};

/// The requests of one server that are not resolved yet, and why no more will be.
///
/// **Who may call what.** `add`, `forget`: callers. `take`, `end`: the runner of the node that
/// resolves. `failed`: the node that has the request in hand. `why`: anybody.
class requests final : public item_failures {
 public:
  /// Keeps `made` until `take` or `end`. @return false after `end`
  bool add(std::shared_ptr<request> made);
  void forget(const request& made) noexcept;
  std::shared_ptr<request> take(const request& made) noexcept;

  /// No further request is resolved. @return those that were not
  std::vector<std::shared_ptr<request>> end() noexcept;

  /// It is resolved without a result by the marker that the node sends in place of one.
  void failed(std::uint64_t number, std::exception_ptr problem) noexcept override;

  /// Where `why` finds the error of the run, until `fix_reason`.
  void set_reason(std::function<std::exception_ptr()> reason);
  void fix_reason() noexcept;
  /// A node_error, or stopped. @throws always
  [[noreturn]] void throw_why() const;

 private:
  mutable std::mutex mutex_;
  std::unordered_map<const request*, std::shared_ptr<request>> open_;
  bool ended_ = false;
  std::function<std::exception_ptr()> reason_;
};

/// What is to be called for resolved requests, and may block: on the thread of a node of its own,
/// so that the node that resolves goes on meanwhile.
class continuations {
 public:
  /// Any thread. Calls it itself where that node does not run any more.
  void call(request::continuation& next) noexcept;

  // The node's runner:
  void attach(host& node) noexcept;
  request::continuation* next() noexcept;
  bool closed() const noexcept;

  /// Nothing follows.
  void close() noexcept;
  /// The node has ended: calls what is left.
  void end() noexcept;

 private:
  mutable std::mutex mutex_;
  std::deque<request::continuation*> waiting_;
  host* node_ = nullptr;
  bool closed_ = false;
  bool ended_ = false;
};

}  // namespace weir
