// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/block.hpp"
#include "weir/blocks/stage.hpp"

#include <concepts>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

/// A factory of behaviours from a prototype: a copy each time where that is possible, else the prototype itself, once.
template <class Behaviour, class Prototype>
std::function<std::unique_ptr<behaviour>()> maker_from(Prototype prototype, const char* what) {
  if constexpr (Prototype::copyable) {
    return [shared = std::make_shared<const Prototype>(std::move(prototype))]() -> std::unique_ptr<behaviour> {
      return std::make_unique<Behaviour>(Prototype(*shared));
    };
  } else {
    struct once {
      explicit once(Prototype p) : prototype(std::move(p)) {}
      Prototype prototype;
      std::once_flag used;
    };
    return [what, held = std::make_shared<once>(std::move(prototype))]() -> std::unique_ptr<behaviour> {
      std::unique_ptr<behaviour> made;
      std::call_once(held->used, [&] { made = std::make_unique<Behaviour>(std::move(held->prototype)); });
      if (made == nullptr) {
        throw graph_error(what, "this node can't be copied and is used a second time; give farm a factory instead");
      }
      return made;
    };
  }
}

template <class T>
const item_type* item_type_or_none() {
  if constexpr (std::is_void_v<T>) {
    return nullptr;
  } else {
    return &item_type_of<T>();
  }
}

template <class In, class Out>
block<In, Out> node_block(const char* kind, std::function<std::unique_ptr<behaviour>()> make, bool reusable) {
  shape made;
  made.kind = kind;
  made.in = item_type_or_none<In>();
  made.out = item_type_or_none<Out>();
  made.make = std::move(make);
  made.reusable = reusable;
  return block<In, Out>(std::make_shared<const shape>(std::move(made)));
}

template <class Stage>
auto stage_block(const char* kind, Stage stage) {
  return node_block<typename Stage::in, typename Stage::out>(
      kind, maker_from<stage_behaviour<Stage>>(std::move(stage), kind), Stage::copyable);
}

template <class F>
inline constexpr bool several_outlets = false;
template <deducible F>
inline constexpr bool several_outlets<F> = (length_of<typename deduced_node<F>::outlets> > 1);

template <class F>
concept node_like = deducible<F> && !std::is_void_v<typename deduced_node<F>::in> &&
                    !is_outlet<typename deduced_node<F>::in>::value && !several_outlets<F>;

template <class F>
using leaf_of = leaf_stage<F, typename deduced_node<F>::in, typename deduced_node<F>::out>;

}  // namespace detail

/// A sequential node from a callable, or from a class with `process`:
///
///     In -> Out                          one item out for each item in
///     In -> std::optional<Out>           a filter
///     (In, weir::outlet<Out>&) -> void   any number of items out
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
  static_assert(!detail::several_outlets<F>, "weir: a node with several outlets stands in weir::feedback");
  if constexpr (detail::deducible<F>) {
    static_assert(!std::is_void_v<typename detail::deduced_node<F>::in>,
                  "weir: a node takes an item; one that takes none is a weir::source");
    return detail::stage_block("node", detail::leaf_of<F>(std::move(f)));
  }
}

/// As node(f), with the item types given.
template <class In, class Out, class F>
block<In, Out> node(F f) {
  return detail::stage_block("node", detail::leaf_stage<F, In, Out>(std::move(f)));
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

/// A lambda or a class with `process` may stand in a pipeline as it is.
template <class In, class Sends, class F>
  requires(!some_block<F> && detail::node_like<std::decay_t<F>>)
auto operator|(const block<In, Sends>& left, F&& right) {
  return left | node(std::decay_t<F>(std::forward<F>(right)));
}

}  // namespace weir
