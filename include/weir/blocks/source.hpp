// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/blocks/node_functions.hpp"

#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

template <class F>
concept has_next = requires { requires std::is_member_function_pointer_v<decltype(&F::next)>; };
template <class F>
concept has_run = requires { requires std::is_member_function_pointer_v<decltype(&F::run)>; };

template <class F>
concept has_sending_run =
    has_run<F> && length_of<typename outlets_of<typename signature<decltype(&F::run)>::arguments>::type> == 1;

// The signature of a source and the way it is called: next(), run(outlet), or its call operator.
template <class F>
struct source_signature;
template <class F>
  requires has_next<F>
struct source_signature<F> : signature<decltype(&F::next)> {
  using by = by_next;
};
template <class F>
  requires(!has_next<F> && has_run<F>)
struct source_signature<F> : signature<decltype(&F::run)> {
  using by = by_run;
};
template <class F>
  requires(!has_next<F> && !has_run<F> && has_call<F>)
struct source_signature<F> : signature<decltype(&F::operator())> {
  using by = by_call;
};
template <class F>
  requires(std::is_pointer_v<F> && std::is_function_v<std::remove_pointer_t<F>>)
struct source_signature<F> : signature<F> {
  using by = by_call;
};

template <class F>
concept source_deducible = requires { typename source_signature<F>::result; };

template <class F>
struct deduced_source {
  using by = typename source_signature<F>::by;
  using outlets = typename outlets_of<typename source_signature<F>::arguments>::type;
  static constexpr bool loop = length_of<outlets> == 1;
  using result = typename source_signature<F>::result;
  using out = typename sends<result, outlets>::type;
  static constexpr bool pulls = !loop && std::is_same_v<result, std::optional<out>>;
};

// Makes one item for each slot. Fewer items mean that the source has ended. If the run shall end,
// the function stops early and lowers `count` to the number of items made. A partial item
// (`host::has_partial_item`) is dropped as if the source had ended before.
template <class By, class F, class Out>
void pull(void* node, batch& some) {
  F& f = *static_cast<F*>(node);
  slots_in<Out, true> slots(some);
  for (std::size_t left = some.count; left != 0; --left) {
    std::optional<Out> item = call<By>(f, *some.at);
    if (!item) return;
    if (some.requests->load(std::memory_order_relaxed) != 0) [[unlikely]] {
      if (has_partial_item(*some.at)) return;
      some.count -= left - 1;
      left = 1;
    }
    ::new (slots.slot()) Out(std::move(*item));
    slots.filled();
  }
}

template <class By, class F, class Out>
void run_source(void* node, batch& some) {
  outlet<Out> out(*some.to);
  call<By>(*static_cast<F*>(node), *some.at, out);
}

template <class F>
constexpr batch_function make_source_function() noexcept {
  using deduced = deduced_source<F>;
  if constexpr (deduced::loop) {
    return {run_source<typename deduced::by, F, typename deduced::out>, sending::outlets};
  } else {
    return {pull<typename deduced::by, F, typename deduced::out>, sending::value};
  }
}
template <class F>
inline constexpr batch_function source_function = make_source_function<F>();

// `plain` means the same as in `node_functions`.
template <class F, bool plain>
constexpr node_functions make_source_functions() noexcept {
  node_functions made = make_node_functions<node_prototype<F>, type_list<typename deduced_source<F>::out>>();
  made.take = &source_function<F>;
  made.is_loop = deduced_source<F>::loop;
  made.plain = plain;
  return made;
}
template <class F, bool plain>
inline constexpr node_functions source_functions = make_source_functions<F, plain>();

template <bool plain, class F>
auto source_of_kind(const char* kind, F f) {
  return block<void, typename deduced_source<F>::out>(
      node_shape(kind, source_functions<F, plain>, new F(std::move(f))));
}

}  // namespace detail

/// Makes the source of a stream from a callable or a class:
///
///     () -> std::optional<Out>, or next()       called again and again; empty means the end
///     (weir::outlet<Out>&) -> void, or run(…)   a loop that sends, and returns at the end; it has a thread of its own
///
/// Each form may take a `weir::context&` as a further, last parameter. A class may have `start()`
/// and `finish()`. Open files and connections in `start`, because constructing a block has no
/// effects.
template <class F>
auto source(F f) {
  static_assert(
      detail::source_deducible<F>,
      "weir: a source is a callable or a class with next() or run(outlet), not overloaded and not a template");
  if constexpr (detail::source_deducible<F>) {
    using deduced = detail::deduced_source<F>;
    static_assert(deduced::loop || deduced::pulls,
                  "weir: a source returns std::optional<Out>, or takes a weir::outlet<Out>&");
    static_assert(!(detail::has_next<F> && detail::has_sending_run<F>),
                  "weir: a source has next() or run(outlet), not both: only one of them would be called");
    static_assert(!detail::has_quiet<F>, "weir: quiet is called in loops only, and a source is in none");
    if constexpr (deduced::loop || deduced::pulls)
      return detail::source_of_kind<deduced::pulls>("source", std::move(f));
  }
}

}  // namespace weir
