// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/channel.hpp"
#include "weir/detail/graph/behaviour.hpp"
#include "weir/graph/graph.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace weir::detail {

/// Reasons why a thread goes on with a step although others may use its core.
enum class core_loss : std::uint8_t {
  none,      ///< it has its core, or never had one to give away
  declared,  ///< the node is `.blocking()`
  room,      ///< it waited in the middle of the step, for room
  join,      ///< it waited for the last pieces of a join
  asleep,    ///< it was idle inside user code while others were ready
  computed,  ///< it did not return from user code for long while others were ready
};

/// A period in which a node did one thing, on one thread: some steps that followed each other
/// closely, or a part of one step.
struct trace_slice {
  using time = std::chrono::steady_clock::rep;

  time ready = 0;  ///< when the node became ready for this period
  time begin = 0;
  time end = 0;
  const channel* toward = nullptr;  ///< channel with no room; null: it waits for another reason
  std::uint32_t items = 0;          ///< items taken in; for a source: items made
  std::uint32_t steps = 0;          ///< steps that ended in this period
  std::uint16_t thread = 0;
  progress how = progress::more;  ///< wait after this period; `more`: for a thread
  core_loss core = core_loss::none;
  bool in_place = false;     ///< it waits for room, in the middle of a step
  bool one_of_many = false;  ///< `toward` is one of several channels, each of which suffices
};

/// A block of memory with slices of one node, oldest first. Nodes reuse each other's chunks.
struct trace_chunk {
  node_id node = 0;
  std::vector<trace_slice> slices;
};

/// The memory of a trace. When it is used up, the chunk that has been full for longest is reused
/// for new slices.
///
/// Any thread, with one call for each chunk that has become full.
class trace_memory {
 public:
  trace_memory(std::size_t bytes, std::size_t nodes);

  /// Takes the chunk that `node` has filled, or null, and returns an empty one; null if there is no
  /// memory.
  std::unique_ptr<trace_chunk> exchange(std::unique_ptr<trace_chunk> filled, node_id node) noexcept;

  // When no thread records any more:

  void add(std::unique_ptr<trace_chunk> last);
  /// All chunks, those of each node in their order.
  const std::deque<std::unique_ptr<trace_chunk>>& chunks() const noexcept { return filled_; }
  std::uint64_t dropped() const noexcept { return dropped_; }
  /// End of the latest slice that was dropped.
  trace_slice::time dropped_until() const noexcept { return dropped_until_; }

 private:
  const std::size_t chunk_slices_;
  const std::size_t chunks_most_;
  std::mutex mutex_;  // guards the members that follow
  std::size_t made_ = 0;
  std::deque<std::unique_ptr<trace_chunk>> filled_;
  std::uint64_t dropped_ = 0;
  trace_slice::time dropped_until_ = 0;
};

/// The records of one node. Only its runner uses them, which is one thread at a time (see
/// `readiness`), so nothing here is shared.
class trace_log {
 public:
  trace_log(trace_memory& memory, node_id node) noexcept : memory_(memory), node_(node) {}

  /// Adds a slice, or extends the last one if the thread has done nothing else since and hardly any
  /// time has passed.
  void add(const trace_slice& what) noexcept;

  /// Sets the channel at which the last slice waits for room, or at which the node waits after it.
  void waits_for(const channel* toward, bool one_of_many) noexcept;

  /// Extends the last slice until `end`.
  void lengthen(trace_slice::time end) noexcept;

  /// The end of the last slice; 0 if there is none.
  trace_slice::time until() const noexcept { return until_; }

  /// Hands the last chunk in. Called when the run has ended.
  void hand_in();

 private:
  trace_memory& memory_;
  const node_id node_;
  std::unique_ptr<trace_chunk> chunk_;
  trace_slice::time until_ = 0;
};

}  // namespace weir::detail
