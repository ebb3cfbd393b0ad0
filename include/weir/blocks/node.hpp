// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/node_functions.hpp"

#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

template <class Prototype, class Ins, class Outs>
struct functions_of_node;
template <class Prototype, class... Ins, class Outs>
struct functions_of_node<Prototype, type_list<Ins...>, Outs> {
  static constexpr const node_functions& functions =
      node_functions_of<Prototype, Outs, takes<body_of<typename Prototype::node>, Ins>...>;
};

template <class In, class Out, class F>
block<In, Out> any_node(const char* kind, F f) {
  using table = functions_of_node<node_prototype<F>, streams_in_t<In>, streams_in_t<Out>>;
  return block<In, Out>(node_shape(kind, table::functions, new F(std::move(f))));
}

}  // namespace detail

/// A sequential node from a callable, or from a class with `process`:
///
///     In -> Out                          one item out for each item in
///     In -> std::optional<Out>           a filter
///     (In, weir::outlet<Out>&) -> void   any number of items out
///     (In, weir::outlet<A>&, weir::outlet<B>&, …) -> void   several streams, see split
///     In -> void                         a sink
///
/// Each may take a `weir::context&` as a further, last parameter. A class may also have `start` and `finish`, called once
/// a run before the first and after the last item, each without parameters or with an `outlet<Out>&`. Item types are
/// deduced where the signature is neither overloaded nor a template; otherwise see `node<In, Out>`.
///
/// The node is copied where the block is replicated; one that can't be copied may stand in one place only.
template <class F>
[[gnu::always_inline]] inline auto node(F f) {
  static_assert(detail::deducible<F>,
                "weir: the item types can't be deduced (process is missing, overloaded, or a template): "
                "say weir::node<In, Out>(f)");
  if constexpr (detail::deducible<F>) {
    using deduced = detail::deduced_node<F>;
    static_assert(!std::is_void_v<typename deduced::in>,
                  "weir: a node takes an item; one that takes none is a weir::source");
    if constexpr (detail::length_of<typename deduced::outlets> > 1) {
      return detail::any_node<typename deduced::in, detail::as_streams_t<typename deduced::outlets>>("node",
                                                                                                     std::move(f));
    } else {
      return detail::any_node<typename deduced::in, typename deduced::out>("node", std::move(f));
    }
  }
}

/// As node(f), with the item types given. With several streams in, `f` is called with an item of any of them, and takes
/// each type by an overload: `weir::node<weir::streams<order, payment>, invoice>(f)`.
template <class In, class Out, class F>
block<In, Out> node(F f) {
  return detail::any_node<In, Out>("node", std::move(f));
}

/// The end of a stream: a callable `In -> void`, or a class with such a `process`.
template <class F>
auto sink(F f) {
  static_assert(detail::deducible<F>, "weir: the item type can't be deduced: say weir::sink<In>(f)");
  if constexpr (detail::deducible<F>) {
    using deduced = detail::deduced_node<F>;
    static_assert(std::is_void_v<typename deduced::out>, "weir: a sink sends nothing; use weir::node");
    return detail::any_node<typename deduced::in, void>("sink", std::move(f));
  }
}

template <class In, class F>
block<In, void> sink(F f) {
  return detail::any_node<In, void>("sink", std::move(f));
}

namespace detail {

template <class T>
auto as_block(T node) {
  if constexpr (some_block<T>) {
    return node;
  } else {
    return weir::node(std::move(node));
  }
}

}  // namespace detail

/// A lambda or a class with `process` may stand in a pipeline as it is.
template <class In, class Sends, class F>
  requires(!some_block<F> && detail::node_like<std::decay_t<F>>)
auto operator|(const block<In, Sends>& left, F&& right) {
  return left | node(std::decay_t<F>(std::forward<F>(right)));
}

}  // namespace weir
