// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/node.hpp"

#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

template <class T>
inline constexpr bool is_fused = false;
template <class A, class B>
inline constexpr bool is_fused<fused_stage<A, B>> = true;

}  // namespace detail

/// Nodes fused into one: the result of `fuse`, to be fused further or to stand in a network as a node.
template <class Stage>
class fused : public block<typename Stage::in, typename Stage::out> {
 public:
  using base = block<typename Stage::in, typename Stage::out>;

  explicit fused(Stage stage) : base(detail::stage_block("fused", stage)), stage_(std::move(stage)) {}

  const Stage& stage() const noexcept { return stage_; }

 private:
  Stage stage_;
};

namespace detail {

template <class T>
auto stage_of(T&& node) {
  using bare = std::remove_cvref_t<T>;
  if constexpr (requires { node.stage(); }) {
    return node.stage();
  } else {
    static_assert(!some_block<bare>,
                  "weir: fuse takes nodes (callables, classes with process) and what fuse returned, not other blocks");
    static_assert(node_like<bare>, "weir: fuse takes nodes whose item types can be deduced");
    static_assert(std::is_copy_constructible_v<bare>, "weir: fused nodes must be copyable");
    return leaf_of<bare>(std::forward<T>(node));
  }
}

}  // namespace detail

/// One node that does what `first` and then `second` would, without a channel between them: each item that `first` sends is
/// processed by `second` at once (F2 §3.1, the combiner). The compiler sees both, so a hop costs what the call costs.
template <class First, class Second>
auto fuse(First first, Second second) {
  auto a = detail::stage_of(std::move(first));
  auto b = detail::stage_of(std::move(second));
  using sends = typename decltype(a)::out;
  using receives = typename decltype(b)::in;
  static_assert(item_types_of_neighbours<sends, receives>::match);
  return fused(detail::fused_stage<decltype(a), decltype(b)>(std::move(a), std::move(b)));
}

/// Several at once.
template <class First, class Second, class Third, class... Rest>
auto fuse(First first, Second second, Third third, Rest... rest) {
  return fuse(fuse(std::move(first), std::move(second)), std::move(third), std::move(rest)...);
}

}  // namespace weir
