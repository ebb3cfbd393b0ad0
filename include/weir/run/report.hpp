// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/export.hpp"
#include "weir/run/nanoseconds.hpp"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace weir {

/// Activity of one node in a run. Times are wall-clock. Fused nodes are ready and wait together.
struct node_report {
  std::string path;
  std::string kind;
  std::uint64_t items = 0;      ///< received; for a source, sent
  std::uint64_t sent = 0;       ///< items sent on
  std::uint64_t steps = 0;      ///< number of times an executor ran it
  nanoseconds busy{};           ///< time it ran
  nanoseconds ready{};          ///< time it was ready, but no worker was free
  nanoseconds waiting_input{};  ///< time it had no item to take
  nanoseconds waiting_room{};   ///< time it waited because its consumers had no room
  /// For a run in progress: how long the node has been in one call of its own code, the processor
  /// time that its thread used in that call, and the operating system's number of that thread.
  /// Known after half a second; 0 until then.
  nanoseconds in_own_code{};
  nanoseconds in_own_code_cpu{};
  long thread = 0;
  std::string runs_with{};  ///< for a fused node, the first of its chain; empty: it is that one, or not fused
};

/// Traffic of one channel.
struct channel_report {
  std::string from;
  std::string to;
  std::uint64_t items = 0;   ///< sent into it
  std::size_t capacity = 0;  ///< items that fit; 0: unbounded
  std::size_t waiting = 0;   ///< items in it at the time of the report
  std::size_t room = 0;      ///< items that its policy allowed in it at that time; 0: without a limit
  /// Mean fill level when its consumer looks, as a share of the items that the policy allows: a
  /// number from 0 to 1. The policy may allow less than the capacity.
  double fill = 0;
  std::size_t input = 0;  ///< number of the consumer's input, counted from 0: a `zip` has several
};

/// The report of a run, ended or in progress. A value type.
struct WEIR_API report {
  std::vector<node_report> nodes;        ///< in the order of the graph
  std::vector<channel_report> channels;  ///< in the order of the graph
  nanoseconds wall{};
  nanoseconds cpu{};        ///< processor time of the whole process during the run
  std::size_t workers = 0;  ///< cores that the executor used; 0 under `threads`
  /// Cores whose time a quota of control groups (`cpu.max`) grants the process, such as 1.5. 0:
  /// there is no quota, or the report is of a cluster.
  double quota = 0;
  bool ended = true;  ///< false for a run in progress
  /// Whether the run was drained: then its sources may have ended early, and the results are those
  /// of a part of the input.
  bool drained = false;
  /// Whether this process is the one in which results are gathered: always outside a cluster; in a
  /// cluster, in one group, the result group, whose report covers all groups.
  bool in_result_group = true;

  // Defined in the library, so that they are compiled once.
  report();
  report(const report&);
  report(report&&) noexcept;
  report& operator=(const report&);
  report& operator=(report&&) noexcept;
  ~report();

  [[deprecated("use in_result_group")]] bool home() const noexcept { return in_result_group; }
};

/// Returns whether a node has been inside its own code for a second or more, and has hardly used a
/// core in that time.
WEIR_API bool waits_in_its_own_code(const node_report& node) noexcept;

/// Names the bottleneck of the run and a remedy, in one sentence without a full stop: "/split is
/// busy 98 %; /read waits for room 91 %: make /split a farm". The bottleneck is a source, a stage,
/// a worker that gets more than its share, a sink, or the cores; or the sentence says that no node
/// was busy. If the cores are the limit because of a quota, the sentence names it.
WEIR_API std::string bottleneck(const report& r);

/// Returns the nodes that the sentence of `bottleneck` is about, as positions in `nodes`; if the
/// cores are the limit, the nodes that use most of them. Empty if no node was busy.
WEIR_API std::vector<std::size_t> bottleneck_nodes(const report& r);

/// Returns a table of the nodes, one a line, with a header line.
WEIR_API std::string to_table(const report& r);
/// Prints the table, and the bottleneck below it. Once in a process, it also prints a note if part
/// of the program was compiled without optimisation.
WEIR_API std::ostream& operator<<(std::ostream& out, const report& r);

/// Returns the report as JSON. `indent` as in nlohmann-json; -1 for one line.
WEIR_API std::string to_json(const report& r, int indent = 2);

namespace detail {

/// Notes that part of the program was compiled without optimisation.
WEIR_API bool note_unoptimised() noexcept;
/// Notes that part of the program was compiled with the thread sanitizer. Gives a notice, once,
/// if the library was not.
WEIR_API bool note_thread_sanitizer() noexcept;

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
