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

/// How far to look. Exploration is exhaustive within `preemptions` and `stale`, unless it is cut at
/// `max_executions`.
struct options {
  unsigned preemptions = 2;  ///< times a thread is interrupted that could go on; waiting and ending cost nothing
  unsigned stale = 2;        ///< loads that return something older than the last store; spurious failures count as well
  std::uint64_t max_executions = 1'000'000;
  unsigned max_steps = 4'000;      ///< operations in one execution before it is called a livelock
  bool heavy_reaches_all = false;  ///< see `memory`
  bool has_fence_heavy = true;     ///< what `model_atomics` says; without, its heavy fence is a full one
  bool prune = true;               ///< leave out interruptions that can't make a difference
};

struct result {
  bool failed = false;
  std::string message;           ///< what went wrong
  std::string trace;             ///< the execution that led there, one operation a line
  std::uint64_t executions = 0;  ///< runs of the scenario, of which
  std::uint64_t redundant = 0;   ///< so many were left early: an equivalent one had been seen
  bool complete = false;         ///< everything within the bounds was explored
  unsigned rounds = 0;           ///< of growing bounds that were completed
  unsigned preemptions = 0;      ///< the bounds reached (of the failure, or of the last complete round)
  unsigned stale = 0;
  double seconds = 0;

  bool passed() const noexcept { return !failed && complete; }
  /// "explored N executions in T s, complete within 3 preemptions and 2 stale reads", or the
  /// failure with its trace.
  std::string summary() const;
};

/// What a scenario is made of. The body given to `run` builds the shared objects and names the
/// threads; these start when the body has returned. Then, with all threads ended, `finally` runs,
/// and everything is destroyed.
///
/// The body is run many times and must do the same each time. Its threads interact through
/// model_atomics, parker and cells only, hold no lazily initialised globals, and state what must
/// hold with `check`, not with a test framework.
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
/// block, an exception out of a thread, a deadlock (which is what a lost wake-up is), or a
/// livelock.
result run(const options& within, const scenario_body& body);

/// As run, with one site made weaker.
result run(const options& within, const scenario_body& body, const mutation& weakened);

/// As run, and adds each site met whose strength could be varied to `sites`.
result run(const options& within, const scenario_body& body, std::vector<access_site>& sites);

// ---- within an execution ----

/// Fails the execution unless `holds`.
void check(bool holds, const char* message, std::source_location where = std::source_location::current());

/// The calling thread spins: it goes on only when another thread has written something, or it has
/// read something stale.
void yield(std::source_location where = std::source_location::current());

namespace detail {
void await_begin();
bool await_end(bool satisfied, std::source_location where);
}  // namespace detail

/// Waits until `predicate` holds, in place of a loop that spins. The predicate is evaluated anew
/// when something was written that it read; if it holds for nobody any more, that is a deadlock.
template <class Predicate>
void await(Predicate&& predicate, std::source_location where = std::source_location::current()) {
  do {
    detail::await_begin();
  } while (!detail::await_end(predicate(), where));
}

}  // namespace explore
