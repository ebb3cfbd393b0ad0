// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/export.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace weir {

class graph;

namespace detail {
class behaviour;
class network_state;
}  // namespace detail

/// A whole program: a graph without open ends, and the behaviours of its nodes once they have run.
/// Move-only. Another run of the same network keeps the state of its nodes. Not thread-safe: only
/// one run at a time, and no changes during a run. A second concurrent run is a `std::logic_error`,
/// and so is the use of a network that was moved from.
///
/// The graph is built when it is first needed, because symbolic widths such as "one worker a core"
/// are known only then.
class [[nodiscard]] WEIR_API network {
 public:
  /// Makes a network from the untyped builder (`weir/graph/graph.hpp`).
  explicit network(graph made);

  /// Takes ownership of `state`, which was made with `new`. For front ends.
  explicit network(detail::network_state* state) noexcept : state_(state) {}

  network(network&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  network& operator=(network&& other) noexcept {
    network taken(std::move(other));
    std::swap(state_, taken.state_);
    return *this;
  }
  ~network();

  /// Returns the graph as it runs. The first call builds it with `cores`; later calls return the
  /// same graph.
  graph& resolve(std::size_t cores);

  /// Returns the graph with its symbolic widths unresolved, for fingerprints. Returns the resolved
  /// graph if there is no builder.
  graph outline() const;

  /// Same as `outline`, but without the changes of widths by `set_width`.
  graph as_written() const;

  /// Returns the behaviour of a node. The first call makes it.
  /// @throws whatever its factory throws
  detail::behaviour& instance(std::uint32_t node);

  // ---- changes between two runs ----

  /// Replaces the behaviour of a node. `with` is a `std::unique_ptr<behaviour>`. The ports and item
  /// types of the node stay the same.
  /// @throws graph_error if there is no such node; std::logic_error before the graph was resolved
  template <class Pointer>
    requires requires(Pointer with) { static_cast<detail::behaviour*>(with.release()); }
  void replace(std::string_view path, Pointer with) {
    adopt(path, with.release());
  }

  /// Same as above, but `with` is anything that `weir::node` takes, or a block that is one node.
  /// Needs `weir/blocks/replace.hpp`, which has the function that it calls.
  /// @throws graph_error also if the item types differ from those of the node
  template <class Node>
  void replace(std::string_view path, Node with) {
    replace_node(*this, path, std::move(with));
  }

  /// Changes the width of a farm, from the next run on. A node keeps its state if the new graph has
  /// a node with the same path. New nodes begin in the initial state. `path` is the path of the
  /// farm: `/split`, if its workers are `/split[0]`, `/split[1]`, …
  /// @throws graph_error if the path is not that of a farm or `width` is 0. Before the first run a
  /// wrong path is reported by that run.
  void set_width(std::string_view path, std::size_t width);

  /// Returns the state, for executors and passes. @throws std::logic_error if the network was moved
  /// from
  detail::network_state& state() const {
    if (state_ == nullptr) refuse_moved();
    return *state_;
  }

 private:
  [[noreturn]] static void refuse_moved();
  void adopt(std::string_view path, detail::behaviour* owned);

  detail::network_state* state_;
};

}  // namespace weir
