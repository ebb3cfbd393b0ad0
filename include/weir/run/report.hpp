// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/run/nanoseconds.hpp"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace weir {

/// What one node did in a run. Times are wall-clock; fused nodes are ready and wait together.
struct node_report {
  std::string path;
  std::string kind;
  std::uint64_t items = 0;      ///< taken in; for a source, sent
  std::uint64_t sent = 0;       ///< items sent on
  std::uint64_t steps = 0;      ///< how often an executor ran it
  nanoseconds busy{};           ///< running
  nanoseconds ready{};          ///< ready, but no worker was free
  nanoseconds waiting_input{};  ///< nothing to take
  nanoseconds waiting_room{};   ///< its consumers had no room
  /// Of a run under way: for how long it has been in one turn inside its own code, the processor
  /// time that its thread used meanwhile, and that thread, as the system numbers it. Known after
  /// half a second; 0 until then.
  nanoseconds in_own_code{};
  nanoseconds in_own_code_cpu{};
  long thread = 0;
  std::string runs_with{};  ///< of a fused node, the first it runs with; empty: it is that one, or not fused
};

/// What went through one channel.
struct channel_report {
  std::string from;
  std::string to;
  std::uint64_t items = 0;   ///< sent into it
  std::size_t capacity = 0;  ///< in items; 0: unbounded
  std::size_t waiting = 0;   ///< items in it at the time of the report
  std::size_t room = 0;      ///< for how many, by its policy at that time; 0: without a limit
  /// Mean share of what may wait in it, seen by its consumer, 0 to 1. The policy may allow less
  /// than the capacity.
  double fill = 0;
  std::size_t input = 0;  ///< of its consumer, counted from 0: a `zip` has several
};

/// What a run was like, or is like so far. A value.
struct report {
  std::vector<node_report> nodes;        ///< in the order of the graph
  std::vector<channel_report> channels;  ///< likewise
  nanoseconds wall{};
  nanoseconds cpu{};        ///< of the whole process while it ran
  std::size_t workers = 0;  ///< cores the executor used; 0 under `threads`
  bool ended = true;        ///< false in a report of a run that is still under way
  bool at_home = true;      ///< see `home`

  // Compiled once.
  report();
  report(const report&);
  report(report&&) noexcept;
  report& operator=(const report&);
  report& operator=(report&&) noexcept;
  ~report();

  /// Whether this process is the one in which results are gathered: outside a cluster; and in one
  /// group of a cluster, whose report tells of all of them.
  bool home() const noexcept { return at_home; }
};

/// Whether a node has been inside its own code for a second or more, and has hardly used a core
/// meanwhile.
bool waits_in_its_own_code(const node_report& node) noexcept;

/// What limits the run, and what to do about it, in one sentence without a full stop: "/split is
/// busy 98 %; /read waits for room 91 %: make /split a farm". It names a source, a stage, a worker
/// that gets more than its share, a sink, or the cores; or says that no node was busy.
std::string bottleneck(const report& r);

/// The nodes that this sentence is about, as positions in `nodes`; where the cores are the limit,
/// those that use most of them. Empty if no node was busy.
std::vector<std::size_t> bottleneck_nodes(const report& r);

/// A table of the nodes, one a line, with a header line.
std::string to_table(const report& r);
/// The table, and below it the bottleneck. Once in a process also that some of it was compiled
/// without optimisation, if so.
std::ostream& operator<<(std::ostream& out, const report& r);

/// `indent` as in nlohmann-json; -1 for one line.
std::string to_json(const report& r, int indent = 2);

namespace detail {

/// Some of the program was compiled without optimisation.
bool note_unoptimised() noexcept;
/// Some of the program was compiled with the thread sanitizer. Says on standard error, once, if the
/// library was not.
bool note_thread_sanitizer() noexcept;

}  // namespace detail

#ifndef __OPTIMIZE__
namespace {
[[maybe_unused]] const bool unoptimised = detail::note_unoptimised();
}
#endif

#ifdef __has_feature
#define WEIR_HAS_FEATURE(name) __has_feature(name)
#else
#define WEIR_HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_THREAD__) || WEIR_HAS_FEATURE(thread_sanitizer)
namespace {
[[maybe_unused]] const bool watched_by_thread_sanitizer = detail::note_thread_sanitizer();
}
#endif
#undef WEIR_HAS_FEATURE

}  // namespace weir
