// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/blocks/node_functions.hpp"
#include "weir/export.hpp"

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

// Result type used in place of an ill-formed block. It prevents follow-up errors in the code behind
// it.
struct WEIR_API no_block {
  template <class Right>
  no_block operator|(Right&&) const;
  operator network() const;  // NOLINT(google-explicit-constructor): as a block
};

// Whether the function of a node can be called with a moved item and the outlets of the node.
template <class F, class In, class Outlets>
inline constexpr bool fits_item = false;
template <class F, class In, class... Outs>
inline constexpr bool fits_item<F, In, type_list<Outs...>> = callable_with<body_of<F>, F, In, outlet<Outs>&...>;

template <class In, class Out, class F>
block<In, Out> any_node(const char* kind, F f) {
  using table = functions_of_node<node_prototype<F>, streams_in_t<In>, streams_in_t<Out>>;
  return block<In, Out>(node_shape(kind, table::functions, new F(std::move(f))));
}

}  // namespace detail

/// Makes a sequential node from a callable, or from a class with `process`:
///
///     In -> Out                          one item out for each item in
///     In -> std::optional<Out>           a filter
///     (In, weir::outlet<Out>&) -> void   any number of items out
///     (In, weir::outlet<A>&, weir::outlet<B>&, …) -> void   several streams, see split
///     In -> void                         a sink
///
/// Each form may take a `weir::context&` as a further, last parameter. A class may also have
/// `start` and `finish`, which are called once in each run, before the first item and after the
/// last. Each takes no parameters or an `outlet<Out>&`. Item types are deduced if the signature is
/// neither overloaded nor a template. Otherwise use `node<In, Out>`.
///
/// The node is copied when its block is replicated. A node that can't be copied may be used in one
/// place only.
template <class F>
[[gnu::always_inline]] inline auto node(F f) {
  static_assert(detail::deducible<F>,
                "weir: the item types can't be deduced (process is missing, private, overloaded, or a template): "
                "say weir::node<In, Out>(f)");
  if constexpr (detail::deducible<F>) {
    using deduced = detail::deduced_node<F>;
    static_assert(!std::is_void_v<typename deduced::in>,
                  "weir: a node takes an item; one that takes none is a weir::source");
    constexpr bool fits = detail::fits_item<F, typename deduced::in, typename deduced::outlets>;
    static_assert(
        fits,
        "weir: a node takes its item by value, const & or &&, and then nothing but its outlets and a context, all "
        "outlets as weir::outlet<T>&");
    static_assert(std::is_move_constructible_v<F>,
                  "weir: a node is moved into its block, and this one can't be moved (because of a mutex or an "
                  "atomic?): hold what "
                  "can't by a std::unique_ptr, or give weir::farm a factory");
    if constexpr (!fits || !std::is_move_constructible_v<F>) {
      return detail::no_block{};
    } else {
      return detail::any_node<typename deduced::in, typename deduced::out>("node", std::move(f));
    }
  } else {
    return detail::no_block{};
  }
}

/// Same as node(f), but with explicit item types. If there are several input streams, `f` is called
/// with items of all of them and must have an overload for each type:
/// `weir::node<weir::streams<order, payment>, invoice>(f)`.
template <class In, class Out, class F>
block<In, Out> node(F f) {
  return detail::any_node<In, Out>("node", std::move(f));
}

/// Makes the end of a stream from a callable `In -> void`, or from a class with such a `process`.
template <class F>
auto sink(F f) {
  static_assert(detail::deducible<F>, "weir: the item type can't be deduced: say weir::sink<In>(f)");
  if constexpr (detail::deducible<F>) {
    using deduced = detail::deduced_node<F>;
    static_assert(std::is_void_v<typename deduced::out>, "weir: a sink sends nothing; use weir::node");
    constexpr bool fits = detail::fits_item<F, typename deduced::in, detail::type_list<>>;
    static_assert(fits, "weir: a sink takes its item by value, const & or &&, and then nothing but a context");
    if constexpr (!fits || !std::is_void_v<typename deduced::out>) {
      return detail::no_block{};
    } else
      return detail::any_node<typename deduced::in, void>("sink", std::move(f));
  } else {
    return detail::no_block{};
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

namespace detail {

// Whether `F` is a generic lambda, or a class with an overloaded `process`, that can be called with
// `Item`, the item type of one stream.
template <class F, class Item>
concept takes_item =
    !std::is_void_v<Item> && stream_count<Item> == 1 && std::is_class_v<F> && callable_with<body_of<F>, F, Item>;

template <class F, class Item>
using made_of = typename unwrap_optional<std::remove_cvref_t<result_of<body_of<F>, F, Item>>>::type;

}  // namespace detail

template <class In, class Sends>
detail::no_block operator|(const block<In, Sends>& left, detail::no_block right);

/// Appends a lambda or a class with `process` to a pipeline. A generic lambda, or a class with an
/// overloaded `process`, takes the item type that the left block sends.
template <class In, class Sends, class F>
  requires(!some_block<std::decay_t<F>> && !std::is_same_v<std::decay_t<F>, detail::no_block>)
auto operator|(const block<In, Sends>& left, F&& right) {
  using G = std::decay_t<F>;
  if constexpr (detail::node_like<G>) {
    return left | node(G(std::forward<F>(right)));
  } else if constexpr (detail::takes_item<G, Sends>) {
    return left | node<Sends, detail::made_of<G, Sends>>(G(std::forward<F>(right)));
  } else {
    static_assert(
        detail::node_like<G>,
        "weir: what follows '|' is no block, and can't be called with an item of the type that the left block sends: "
        "it needs a public process, or a call operator, that takes that and nothing more but outlets and a context");
    return detail::no_block{};
  }
}

}  // namespace weir
