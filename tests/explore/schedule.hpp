// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model.hpp"
#include "site.hpp"

#include <cstdint>
#include <functional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

namespace explore {

/// Bounds of an exploration. It is exhaustive within `preemptions` and `stale`, unless it is cut at
/// `max_executions`.
struct options {
  unsigned preemptions = 2;  ///< interruptions of a thread that could go on; waiting and ending cost nothing
  unsigned stale = 2;        ///< loads that return an older value than the last store; spurious failures count as well
  std::uint64_t max_executions = 1'000'000;
  unsigned max_steps = 4'000;      ///< operations in one execution before it is called a livelock
  bool heavy_reaches_all = false;  ///< see `memory`
  bool has_fence_heavy = true;     ///< the value reported by `model_atomics`; if false, its heavy fence is a full one
  bool prune = true;               ///< leave out interruptions that can't make a difference
};

struct result {
  bool failed = false;
  std::string message;           ///< the error
  std::string trace;             ///< the execution that failed, one operation a line
  std::uint64_t executions = 0;  ///< number of runs of the scenario
  std::uint64_t redundant = 0;   ///< number of these that were left early, because an equivalent one had been explored
  bool complete = false;         ///< everything within the bounds was explored
  unsigned rounds = 0;           ///< number of rounds with growing bounds that were completed
  unsigned preemptions = 0;      ///< the bounds reached (of the failure, or of the last complete round)
  unsigned stale = 0;
  double seconds = 0;

  bool passed() const noexcept { return !failed && complete; }
  /// Returns "explored N executions in T s, complete within 3 preemptions and 2 stale reads", or
  /// the failure with its trace.
  std::string summary() const;
};

/// The parts of a scenario. The body given to `run` builds the shared objects and names the
/// threads, which start when the body has returned. When all threads have ended, `finally` runs,
/// and everything is destroyed.
///
/// The body is run many times and must do the same each time. Its threads interact through
/// `model_atomics`, `parker` and `cell` only, use no lazily initialised globals, and state
/// requirements with `check`, not with a test framework.
class execution {
 public:
  void thread(std::function<void()> body) { threads_.push_back(std::move(body)); }
  void finally(std::function<void()> body) { finally_.push_back(std::move(body)); }

 private:
  friend class engine;
  std::vector<std::function<void()>> threads_;
  std::vector<std::function<void()>> finally_;
};

using scenario_body = std::function<void(execution&)>;

/// Explores all executions of `body` within bounds, few preemptions and fresh reads first, until
/// one fails. An execution fails if a `check` does, on a data race, a misused or leaked object or
/// block, an exception out of a thread, a deadlock (which is how a lost wake-up shows), or a
/// livelock.
result run(const options& within, const scenario_body& body);

/// The same as `run`, with one site made weaker.
result run(const options& within, const scenario_body& body, const mutation& weakened);

/// The same as `run`; also adds each site met whose strength could be varied to `sites`.
result run(const options& within, const scenario_body& body, std::vector<access_site>& sites);

// ---- within an execution ----

/// Fails the execution unless `holds`.
void check(bool holds, const char* message, std::source_location where = std::source_location::current());

/// Declares that the calling thread spins: it goes on only when another thread has written a value,
/// or it has read a stale one.
void yield(std::source_location where = std::source_location::current());

namespace detail {
void await_begin();
bool await_end(bool satisfied, std::source_location where);
}  // namespace detail

/// Waits until `predicate` holds, in place of a loop that spins. The predicate is evaluated anew
/// when a location that it read was written. If no thread can make any predicate true any more,
/// that is a deadlock.
template <class Predicate>
void await(Predicate&& predicate, std::source_location where = std::source_location::current()) {
  do {
    detail::await_begin();
  } while (!detail::await_end(predicate(), where));
}

}  // namespace explore
