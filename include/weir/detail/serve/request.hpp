// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/parker.hpp"
#include "weir/detail/graph/process.hpp"
#include "weir/detail/ports/host.hpp"
#include "weir/export.hpp"
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

namespace weir::detail {

/// One request in progress, without the type of its result. Its reply and, until it is resolved,
/// the network share it.
///
/// **States.** *Open*; *awaited*: a continuation is called when it is resolved; *resolved*: there
/// is a result, or there never will be one. `after_` is null, the address of the continuation, or
/// `resolved`. Each exchange or comparison of `after_` synchronizes with the one before (acquire,
/// release), so the result is visible to a thread that finds the request resolved.
class WEIR_API request {
 public:
  /// An action for the resolution of a request. Called once, on any thread.
  struct continuation {
    void (*call)(continuation& self);
    bool brief;  ///< never blocks and runs no user code
  };

  request() = default;
  request(const request&) = delete;
  request& operator=(const request&) = delete;

  bool is_resolved() const noexcept { return after_.load(std::memory_order_acquire) == resolved(); }
  /// Sleeps until the request is resolved, or until `until`, or, in a node, until the run of that
  /// node is cancelled or fails. One thread at a time.
  /// @param until null: no time limit
  /// @return whether it is resolved
  bool wait(const std::chrono::steady_clock::time_point* until) noexcept;

  /// Registers `next`, to be called when the request is resolved.
  /// @return false if it is already resolved; `next` will then not be called
  bool then(continuation& next) noexcept;

  /// Marks the request as resolved. @return the continuation that the caller must call, or null
  continuation* resolve() noexcept;

  /// The exception of the node that threw while processing the request; written before `resolve`.
  /// Null: no node threw.
  std::exception_ptr problem;

 protected:
  ~request() = default;

 private:
  static continuation* resolved() noexcept;

  std::atomic<continuation*> after_{nullptr};
  std::atomic<bool> done_{false};
  parker waiting_;
};

/// @throws std::logic_error: the reply has no result any more
[[noreturn]] WEIR_API void throw_result_taken();

/// A request with its result.
template <class T>
class request_for final : public request {
 public:
  std::optional<T> result;  ///< written before `resolve`; empty after it: no result
};

/// The unresolved requests of one server, and the reason for which no more will be resolved.
///
/// **Who may call what.** `add`, `forget`: callers. `take`, `end`: the thread that runs the
/// resolving node. `failed`: the node that processes the request. `throw_why`: any thread.
class WEIR_API requests final : public item_failures {
 public:
  /// Keeps `made` until `take` or `end`. @return false after `end`
  bool add(std::shared_ptr<request> made);
  void forget(const request& made) noexcept;
  std::shared_ptr<request> take(const request& made) noexcept;

  /// False in a forked child, where no request of the parent is resolved any more.
  bool is_here() const noexcept { return made_.is_here(); }
  /// As `request::wait`. @throws std::logic_error in a forked child if it is not resolved
  bool wait(request& what) const;

  /// Ends the resolving of requests. @return the unresolved requests
  std::vector<std::shared_ptr<request>> end() noexcept;

  /// Stores the exception. The punctuation that the node sends in place of a result then resolves
  /// the request.
  void failed(std::uint64_t number, std::exception_ptr problem) noexcept override;

  /// Sets the function that returns the error of the run for `throw_why`, until `fix_reason`.
  void set_reason(std::function<std::exception_ptr()> reason);
  void fix_reason() noexcept;
  /// Throws a node_error, or stopped; in a forked child std::logic_error. @throws always
  [[noreturn]] void throw_why() const;

 private:
  const process_mark made_;
  mutable std::mutex mutex_;
  std::unordered_map<const request*, std::shared_ptr<request>> open_;
  bool ended_ = false;
  std::function<std::exception_ptr()> reason_;
};

/// Continuations of resolved requests that may block. A separate node calls them on its thread, so
/// that the resolving node is not held up.
class WEIR_API continuations {
 public:
  /// Any thread: queues `next` for the node, or calls it directly if the node does not run any
  /// more.
  void call(request::continuation& next) noexcept;

  // Called by the thread that runs the node:
  void attach(host& node) noexcept;
  request::continuation* next() noexcept;
  bool closed() const noexcept;

  /// Declares that no continuation follows.
  void close() noexcept;
  /// Called when the node has ended: calls the remaining continuations.
  void end() noexcept;

 private:
  mutable std::mutex mutex_;
  std::deque<request::continuation*> waiting_;
  host* node_ = nullptr;
  bool closed_ = false;
  bool ended_ = false;
};

}  // namespace weir::detail
