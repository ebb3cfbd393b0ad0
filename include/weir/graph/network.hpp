// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/graph.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {

/// What an executor keeps of a network between two of its runs.
class kept_between_runs {
 public:
  kept_between_runs() = default;
  kept_between_runs(const kept_between_runs&) = delete;
  kept_between_runs& operator=(const kept_between_runs&) = delete;
  virtual ~kept_between_runs() = default;
};

/// The widths that farms have instead of those they were written with, by path.
using farm_widths = std::map<std::string, std::size_t, std::less<>>;

/// A whole program: a graph without open ends, and the behaviours of its nodes once they have run. Move-only; running it
/// again keeps the nodes' state. Not thread-safe: one run at a time.
///
/// The graph is made when it is first needed, because widths such as "one worker a core" are known only then.
class network {
 public:
  /// How the graph comes about: called with the number of cores that symbolic widths stand for. @throws graph_error if some
  /// path of `widths` is not that of a farm
  using builder = std::function<graph(std::size_t cores, const farm_widths& widths)>;

  /// Asked for by passes that must not depend on the machine: symbolic widths become one node that stands for all.
  static constexpr std::size_t symbolic = 0;

  explicit network(builder build) : build_(std::move(build)) {}

  /// From the untyped builder.
  explicit network(graph made) : graph_(std::move(made)) {}

  network(network&&) = default;
  network& operator=(network&&) = default;

  /// The graph as it runs; built with `cores` the first time, and the same from then on.
  graph& resolve(std::size_t cores);

  /// Whether `resolve` was called, or there was a graph from the beginning.
  bool resolved() const noexcept { return graph_.has_value(); }

  /// The graph with symbolic widths left so; for fingerprints. The resolved one where there is no builder.
  graph outline() const { return build_ ? build_(symbolic, widths_) : *graph_; }

  /// As `outline`, with no width changed since it was written.
  graph as_written() const { return build_ ? build_(symbolic, {}) : *graph_; }

  /// The node's behaviour, made at its first use. @throws whatever its factory throws
  behaviour& instance(node_id node);

  // ---- changes between two runs ----

  /// Another behaviour in a node's place. Its ports and item types stay.
  /// @throws graph_error if there is no such node; std::logic_error before the graph was resolved
  void replace(std::string_view path, std::unique_ptr<behaviour> with);

  /// As above, where it is known what the new one takes and sends at each port, and whether it is `plain`, `separate` and `blocking`.
  /// @throws graph_error also if the item types are not those of the node
  void replace(std::string_view path, std::unique_ptr<behaviour> with, const std::vector<const item_type*>& takes,
               const std::vector<const item_type*>& sends, bool plain = false, const node_traits& traits = {});

  /// As above, from what `weir::node` takes, or a block that is one node. Defined in blocks/replace.hpp.
  template <class Node>
    requires(!std::is_convertible_v<Node, std::unique_ptr<behaviour>>)
  void replace(std::string_view path, Node with);

  /// Gives a farm another width from the next run on. Nodes keep their state if there still is one of their path; those that are
  /// new begin like the first ones. `path` is that of the farm: `/split`, if its workers are `/split[0]`, `/split[1]`, …
  /// @throws graph_error if it is not a farm or `width` is 0; before the first run, a wrong path is an error of that run
  void set_width(std::string_view path, std::size_t width);

  /// The widths that farms were given that way.
  const farm_widths& widths() const noexcept { return widths_; }

  /// What the graph would be with these widths, too; nothing changes. @throws graph_error as set_width and the builder
  graph with_widths(std::size_t cores, const farm_widths& more) const;

  // ---- for executors ----

  /// What was kept between runs; the caller owns it. Null if there is nothing, or if the graph was made anew since.
  std::unique_ptr<kept_between_runs> take_kept() noexcept { return std::move(kept_); }
  void keep(std::unique_ptr<kept_between_runs> what) noexcept { kept_ = std::move(what); }

 private:
  void put(std::string_view path, std::unique_ptr<behaviour> with, bool plain, const node_traits& traits);

  builder build_;
  farm_widths widths_;
  std::size_t cores_ = 0;  // what the graph was built with
  std::optional<graph> graph_;
  std::vector<std::unique_ptr<behaviour>> behaviours_;
  std::unique_ptr<kept_between_runs> kept_;
};

}  // namespace weir
