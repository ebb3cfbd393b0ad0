// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "top/live_sample.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The items that wait in the channels before a node.
struct queue_view {
  std::size_t waiting = 0;  ///< number of items
  std::size_t room = 0;     ///< capacity in items; 0: there is no limit

  double fill() const { return room == 0 ? 0 : static_cast<double>(waiting) / static_cast<double>(room); }
};

/// One input of a node: a `zip` has several.
struct input_view {
  std::vector<std::string> from;  ///< nodes that send to this input
  queue_view queue{};
};

/// The state of a node, or of the equal nodes of a farm together, over some time. Shares refer to
/// that time; for several nodes they are means.
struct node_view {
  std::string path;  ///< for several nodes `/split[0-3]`
  std::string kind;
  std::string group{};  ///< group of a cluster; for several groups `3 groups`; else empty
  std::size_t nodes = 1;
  std::uint64_t items = 0;  ///< received since the run began; for a source, made
  std::uint64_t sent = 0;   ///< items sent since the run began
  double items_per_second = 0;
  double seconds_per_item = 0;  ///< busy time; 0 if there were no items
  double busy_so_far = 0;       ///< since the run began
  double busy = 0;
  double busy_least = 0;
  double busy_most = 0;
  double ready = 0;
  double waiting_input = 0;
  double waiting_room = 0;

  std::optional<queue_view> before{};  ///< of all its inputs; none for a source
  std::vector<input_view> inputs{};    ///< in their order; empty for a source
  bool bottleneck = false;
  std::vector<std::size_t> members{};  ///< in a folded view: numbers of the nodes in the whole view
  bool is_input = false;               ///< an input of the node above, in a table; only `path` and `before` are set
};

/// The state of a run over some time.
struct run_view {
  std::uint64_t number = 0;
  bool ended = false;
  std::chrono::nanoseconds wall{0};  ///< since it began
  std::chrono::nanoseconds over{0};  ///< time that rates and shares refer to
  std::size_t workers = 0;
  double cores = 0;       ///< cores that the process used in that time
  std::uint64_t in = 0;   ///< items made by sources since the run began
  std::uint64_t out = 0;  ///< items received by sinks
  std::vector<node_view> nodes{};
  std::string bottleneck{};  ///< a sentence
  long waits_in_thread = 0;  ///< thread of the bottleneck, if it waits inside its own code; else 0
};

/// @param before the same run at an earlier time, or null for the whole time since the run began
run_view view_of(const live_run& now, const live_run* before);

/// Returns the views of all runs of a sample; `before` may be null.
std::vector<run_view> views_of(const live_sample& now, const live_sample* before);

/// Says which groups of a cluster did not answer; empty: all did.
std::string silence_of(const live_sample& sample);

/// Returns the view with the nodes of each farm or set of equal blocks combined into one.
run_view folded(const run_view& whole);

/// Returns the paths as a short list: those of a farm as one, `/split[0-3]`.
std::string folded(const std::vector<std::string>& paths);
