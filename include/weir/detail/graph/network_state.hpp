// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/graph/farm_widths.hpp"
#include "weir/graph/graph.hpp"

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace weir {

/// Things that an executor keeps of a network between two of its runs.
class kept_between_runs {
 public:
  kept_between_runs() = default;
  kept_between_runs(const kept_between_runs&) = delete;
  kept_between_runs& operator=(const kept_between_runs&) = delete;
  virtual ~kept_between_runs() = default;
};

/// The contents of a `network`.
class network_state {
 public:
  /// How the graph comes about: called with the number of cores that symbolic widths stand for.
  /// @throws graph_error if some path of `widths` is not that of a farm
  using builder = std::function<graph(std::size_t cores, const farm_widths& widths)>;

  /// Asked for by passes that must not depend on the machine: symbolic widths become one node that
  /// stands for all.
  static constexpr std::size_t symbolic = 0;

  explicit network_state(builder build) : build_(std::move(build)) {}
  explicit network_state(graph made) : graph_(std::move(made)) {}

  // As in `network`.
  graph& resolve(std::size_t cores);
  graph outline() const { return build_ ? build_(symbolic, widths_) : *graph_; }
  graph as_written() const { return build_ ? build_(symbolic, {}) : *graph_; }
  behaviour& instance(node_id node);
  void set_width(std::string_view path, std::size_t width);

  /// Whether `resolve` was called, or there was a graph from the beginning.
  bool resolved() const noexcept { return graph_.has_value(); }

  /// The widths that farms were given by `set_width`.
  const farm_widths& widths() const noexcept { return widths_; }

  /// The graph as it would be with these widths, too; nothing changes.
  /// @throws graph_error as set_width and the builder
  graph with_widths(std::size_t cores, const farm_widths& more) const;

  /// Another behaviour in a node's place.
  /// @throws graph_error if there is no such node; std::logic_error before the graph was resolved
  void replace(std::string_view path, std::unique_ptr<behaviour> with);

  /// As above, where it is known what the new one takes and sends at each port, and whether it is
  /// `plain`, `separate` and `blocking`.
  /// @throws graph_error also if the item types are not those of the node
  void replace(std::string_view path, std::unique_ptr<behaviour> with, const std::vector<const item_type*>& takes,
               const std::vector<const item_type*>& sends, bool plain = false, const node_traits& traits = {});

  /// Gives away the things kept between runs; the caller owns them. Null if there is nothing, or if
  /// the graph was made anew since.
  std::unique_ptr<kept_between_runs> take_kept() noexcept { return std::move(kept_); }
  void keep(std::unique_ptr<kept_between_runs> what) noexcept { kept_ = std::move(what); }

  /// @param what it is that the caller wants to do @throws std::logic_error during a run
  void refuse_while_running(const char* what) const;

  /// A run under way, from its beginning to its end. Two at a time would share nodes and channels.
  class run_under_way {
   public:
    /// @throws std::logic_error if there is another one
    explicit run_under_way(network_state& net);
    run_under_way(const run_under_way&) = delete;
    run_under_way& operator=(const run_under_way&) = delete;
    ~run_under_way() { net_.runs_.store(false, std::memory_order_release); }  // pairs with the next run's acquire

   private:
    network_state& net_;
  };

 private:
  void put(std::string_view path, std::unique_ptr<behaviour> with, bool plain, const node_traits& traits);

  builder build_;
  farm_widths widths_;
  std::size_t cores_ = 0;  // what the graph was built with
  std::optional<graph> graph_;
  std::vector<std::unique_ptr<behaviour>> behaviours_;
  std::unique_ptr<kept_between_runs> kept_;
  std::atomic<bool> runs_{false};
};

}  // namespace weir
