// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "live_sample.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What waits in the channels before a node.
struct queue_view {
  std::size_t waiting = 0;  ///< items
  std::size_t room = 0;     ///< for how many; 0: there is no limit

  double fill() const { return room == 0 ? 0 : static_cast<double>(waiting) / static_cast<double>(room); }
};

/// One input of a node: a `zip` has several.
struct input_view {
  std::vector<std::string> from;  ///< the nodes that send there
  queue_view queue{};
};

/// A node, or the equal nodes of a farm together, over some time. Shares are of that time; of
/// several nodes, their mean.
struct node_view {
  std::string path;  ///< of several nodes `/split[0-3]`
  std::string kind;
  std::string group{};  ///< of a cluster; of several groups `3 groups`; else empty
  std::size_t nodes = 1;
  std::uint64_t items = 0;  ///< taken in since the run began; for a source, made
  std::uint64_t sent = 0;   ///< likewise
  double items_per_second = 0;
  double seconds_per_item = 0;  ///< busy; 0 if there were none
  double busy_so_far = 0;       ///< since the run began
  double busy = 0;
  double busy_least = 0;
  double busy_most = 0;
  double ready = 0;
  double waiting_input = 0;
  double waiting_room = 0;

  std::optional<queue_view> before{};  ///< in all its inputs; none for a source
  std::vector<input_view> inputs{};    ///< in their order; likewise
  bool bottleneck = false;
  bool is_input = false;  ///< one of the node above, in a table; only `path` and `before` are said of it
};

/// A run over some time.
struct run_view {
  std::uint64_t number = 0;
  bool ended = false;
  std::chrono::nanoseconds wall{0};  ///< since it began
  std::chrono::nanoseconds over{0};  ///< what rates and shares are of
  std::size_t workers = 0;
  double cores = 0;       ///< that the process used meanwhile
  std::uint64_t in = 0;   ///< items made by sources since it began
  std::uint64_t out = 0;  ///< items taken in by sinks
  std::vector<node_view> nodes{};
  std::string bottleneck{};  ///< a sentence
  long waits_in_thread = 0;  ///< of the bottleneck, if that waits inside its own code; else 0
};

/// @param before the same run at an earlier time, or null for all the time since it began
run_view view_of(const live_run& now, const live_run* before);

/// The views of all runs of a sample; `before` may be null.
std::vector<run_view> views_of(const live_sample& now, const live_sample* before);

/// Which groups of a cluster did not answer, in words; empty: all did.
std::string silence_of(const live_sample& sample);

/// With the nodes of each farm or set of equal blocks as one.
run_view folded(const run_view& whole);

/// Paths in few words: those of a farm as one, `/split[0-3]`.
std::string folded(const std::vector<std::string>& paths);
