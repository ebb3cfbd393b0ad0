// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace weir {

class behaviour;
class graph;
class network_state;

/// A whole program: a graph without open ends, and the behaviours of its nodes once they have run.
/// Move-only; running it again keeps the nodes' state. Not thread-safe: one run at a time, and no
/// change within; a second one is a std::logic_error, and so is using a network that was moved
/// from.
///
/// The graph is made when it is first needed, because widths such as "one worker a core" are known
/// only then.
class [[nodiscard]] network {
 public:
  /// From the untyped builder (`weir/graph/graph.hpp`).
  explicit network(graph made);

  /// Takes over `state`, which was made with `new`; for front ends.
  explicit network(network_state* state) noexcept : state_(state) {}

  network(network&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  network& operator=(network&& other) noexcept {
    network taken(std::move(other));
    std::swap(state_, taken.state_);
    return *this;
  }
  ~network();

  /// The graph as it runs; built with `cores` the first time, and the same from then on.
  graph& resolve(std::size_t cores);

  /// The graph with symbolic widths left so; for fingerprints. The resolved one where there is no
  /// builder.
  graph outline() const;

  /// As `outline`, with no width changed since it was written.
  graph as_written() const;

  /// The node's behaviour, made at its first use. @throws whatever its factory throws
  behaviour& instance(std::uint32_t node);

  // ---- changes between two runs ----

  /// Another behaviour in a node's place: a `std::unique_ptr<behaviour>`. Its ports and item types
  /// stay.
  /// @throws graph_error if there is no such node; std::logic_error before the graph was resolved
  template <class Pointer>
    requires requires(Pointer with) { static_cast<behaviour*>(with.release()); }
  void replace(std::string_view path, Pointer with) {
    adopt(path, with.release());
  }

  /// As above, from what `weir::node` takes, or a block that is one node. Defined in
  /// blocks/replace.hpp.
  /// @throws graph_error also if the item types are not those of the node
  template <class Node>
  void replace(std::string_view path, Node with);

  /// Gives a farm another width from the next run on. Nodes keep their state if there still is one
  /// of their path; those that are new begin like the first ones. `path` is that of the farm:
  /// `/split`, if its workers are `/split[0]`, `/split[1]`, …
  /// @throws graph_error if it is not a farm or `width` is 0; before the first run, a wrong path is
  /// an error of that run
  void set_width(std::string_view path, std::size_t width);

  /// For executors and passes. @throws std::logic_error if the network was moved from
  network_state& state() const {
    if (state_ == nullptr) refuse_moved();
    return *state_;
  }

 private:
  [[noreturn]] static void refuse_moved();
  void adopt(std::string_view path, behaviour* owned);

  network_state* state_;
};

}  // namespace weir
