// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/branching.hpp"
#include "weir/blocks/maker.hpp"
#include "weir/blocks/stage.hpp"

#include <concepts>
#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

template <class Stage>
auto stage_block(const char* kind, Stage stage) {
  return node_block<typename Stage::in, typename Stage::out>(
      kind, maker_from<stage_behaviour<Stage>>(std::move(stage), kind), Stage::copyable, Stage::exactly_one, true);
}

template <class F>
inline constexpr bool several_outlets = false;
template <deducible F>
inline constexpr bool several_outlets<F> = (length_of<typename deduced_node<F>::outlets> > 1);

template <class F>
concept node_like =
    deducible<F> && !std::is_void_v<typename deduced_node<F>::in> && !is_outlet<typename deduced_node<F>::in>::value;

template <class F>
using leaf_of = leaf_stage<F, typename deduced_node<F>::in, typename deduced_node<F>::out>;

template <class In, class Out, class F>
block<In, Out> any_node(const char* kind, F f) {
  if constexpr (stream_count<In> > 1 || stream_count<Out> > 1) {
    return branching_block<In, Out, calls_process>(kind, std::move(f));
  } else {
    return stage_block(kind, leaf_stage<F, In, Out>(std::move(f)));
  }
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
auto node(F f) {
  static_assert(detail::deducible<F>,
                "weir: the item types can't be deduced (process is missing, overloaded, or a template): "
                "say weir::node<In, Out>(f)");
  if constexpr (detail::deducible<F>) {
    static_assert(!std::is_void_v<typename detail::deduced_node<F>::in>,
                  "weir: a node takes an item; one that takes none is a weir::source");
    using deduced = detail::deduced_node<F>;
    if constexpr (detail::several_outlets<F>) {
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
    static_assert(std::is_void_v<typename detail::deduced_node<F>::out>, "weir: a sink sends nothing; use weir::node");
    return detail::stage_block("sink", detail::leaf_of<F>(std::move(f)));
  }
}

template <class In, class F>
block<In, void> sink(F f) {
  return detail::stage_block("sink", detail::leaf_stage<F, In, void>(std::move(f)));
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
