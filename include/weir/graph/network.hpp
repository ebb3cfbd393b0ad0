// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/graph.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace weir {

/// A whole program: a graph without open ends, and the behaviours of its nodes once they have run. Move-only; running it
/// again keeps the nodes' state. Not thread-safe: one run at a time.
///
/// The graph is made when it is first needed, because widths such as "one worker a core" are known only then.
class network {
 public:
  /// How the graph comes about: called with the number of cores that symbolic widths stand for.
  using builder = std::function<graph(std::size_t cores)>;

  /// Asked for by passes that must not depend on the machine: symbolic widths become one node that stands for all.
  static constexpr std::size_t symbolic = 0;

  explicit network(builder build) : build_(std::move(build)) {}

  /// From the untyped builder.
  explicit network(graph made) : graph_(std::move(made)) {}

  network(network&&) = default;
  network& operator=(network&&) = default;

  /// The graph as it runs; built with `cores` the first time, and the same from then on.
  graph& resolve(std::size_t cores) {
    if (!graph_) graph_ = build_(cores);
    behaviours_.resize(graph_->nodes().size());
    return *graph_;
  }

  /// The graph with symbolic widths left so; for fingerprints. The resolved one where there is no builder.
  graph outline() const { return build_ ? build_(symbolic) : *graph_; }

  /// The node's behaviour, made at its first use. @throws whatever its factory throws
  behaviour& instance(node_id node) {
    behaviours_.resize(graph_->nodes().size());
    auto& slot = behaviours_[node];
    if (slot == nullptr) slot = graph_->nodes()[node].make();
    return *slot;
  }

  /// Between two runs: another behaviour in a node's place. Its ports and item types stay.
  /// @throws graph_error if there is no such node; std::logic_error before the graph was resolved
  void replace(std::string_view path, std::unique_ptr<behaviour> with) {
    if (!graph_) throw std::logic_error("replace: the network's graph has not been resolved yet");
    const node_id node = graph_->find(path);
    behaviours_.resize(graph_->nodes().size());
    behaviours_[node] = std::move(with);
  }

 private:
  builder build_;
  std::optional<graph> graph_;
  std::vector<std::unique_ptr<behaviour>> behaviours_;
};

}  // namespace weir
