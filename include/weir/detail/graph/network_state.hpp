// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/graph/farm_widths.hpp"
#include "weir/detail/graph/process.hpp"
#include "weir/graph/graph.hpp"

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::detail {

/// State that an executor keeps for a network between two of its runs.
class kept_between_runs {
 public:
  kept_between_runs() = default;
  kept_between_runs(const kept_between_runs&) = delete;
  kept_between_runs& operator=(const kept_between_runs&) = delete;
  virtual ~kept_between_runs() = default;
};

/// The state of a `network`.
class network_state {
 public:
  /// Function that builds the graph. `cores` is the number of cores that symbolic widths stand for.
  /// @throws graph_error if some path of `widths` is not that of a farm
  using builder = std::function<graph(std::size_t cores, const farm_widths& widths)>;

  /// Number of cores for passes that must not depend on the machine: a symbolic width then becomes
  /// one node that stands for all workers.
  static constexpr std::size_t symbolic = 0;

  explicit network_state(builder build) : build_(std::move(build)) {}
  explicit network_state(graph made) : graph_(std::move(made)) {}

  // The same functions as in `network`.
  graph& resolve(std::size_t cores);
  graph outline() const { return build_ ? build_(symbolic, widths_) : *graph_; }
  graph as_written() const { return build_ ? build_(symbolic, {}) : *graph_; }
  behaviour& instance(node_id node);
  void set_width(std::string_view path, std::size_t width);

  /// Returns whether `resolve` was called, or there was a graph from the beginning.
  bool resolved() const noexcept { return graph_.has_value(); }

  /// Returns the widths that were set by `set_width`.
  const farm_widths& widths() const noexcept { return widths_; }

  /// Returns the graph as it would be if these widths were set, too. Changes nothing.
  /// @throws graph_error in the same cases as set_width and the builder
  graph with_widths(std::size_t cores, const farm_widths& more) const;

  /// Replaces the behaviour of a node.
  /// @throws graph_error if there is no such node; std::logic_error before the graph was resolved
  void replace(std::string_view path, std::unique_ptr<behaviour> with);

  /// Same as above, if the item types of the new node at each port are known, and whether it is
  /// `plain`, `separate` and `blocking`, and has a `quiet`.
  /// @throws graph_error also if the item types differ from those of the node
  void replace(std::string_view path, std::unique_ptr<behaviour> with, const std::vector<const item_type*>& takes,
               const std::vector<const item_type*>& sends, bool plain, bool has_quiet, const node_traits& traits);

  /// Returns the state kept between runs; the caller owns it. Returns null if there is none, if the
  /// graph was rebuilt since, or in a forked child if it is the parent's.
  std::unique_ptr<kept_between_runs> take_kept() noexcept {
    return std::unique_ptr<kept_between_runs>(is_here(kept_) ? kept_.release() : nullptr);
  }
  void keep(std::unique_ptr<kept_between_runs> what) noexcept {
    kept_ = process_ptr<kept_between_runs>(what.release());
  }

  /// @param what the operation that the caller wants to do
  /// @throws std::logic_error during a run
  void refuse_while_running(const char* what) const;

  /// Whether a run of this network was under way when this process was forked. Then nodes may be
  /// in the middle of a step, for ever.
  bool runs_in_parent() const noexcept {
    return runs_.load(std::memory_order_relaxed) && !run_by_.load(std::memory_order_relaxed).is_here();
  }

  /// Marks a run from its beginning to its end. Two runs at a time would share nodes and channels.
  class run_under_way {
   public:
    /// @throws std::logic_error if another run is under way
    explicit run_under_way(network_state& net);
    run_under_way(const run_under_way&) = delete;
    run_under_way& operator=(const run_under_way&) = delete;
    ~run_under_way() { net_.runs_.store(false, std::memory_order_release); }  // pairs with the next run's acquire

   private:
    network_state& net_;
  };

 private:
  void put(std::string_view path, std::unique_ptr<behaviour> with, bool plain, bool has_quiet,
           const node_traits& traits);

  builder build_;
  farm_widths widths_;
  std::size_t cores_ = 0;  // the number of cores that the graph was built with
  std::optional<graph> graph_;
  std::vector<std::unique_ptr<behaviour>> behaviours_;
  process_ptr<kept_between_runs> kept_;
  std::atomic<bool> runs_{false};
  std::atomic<process_mark> run_by_{process_mark()};  // of the last run; publishes no other memory
};

}  // namespace weir::detail
