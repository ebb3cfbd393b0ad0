// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/context.hpp"
#include "weir/blocks/outlet.hpp"

#include <concepts>
#include <functional>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace weir::detail {

// ---- what a callable looks like ----

template <class... Args>
struct type_list {};

template <class F>
struct signature;  // undefined: overloaded or a template

template <class R, class... Args>
struct signature<R(Args...)> {
  using result = R;
  using arguments = type_list<Args...>;
};
template <class R, class... Args>
struct signature<R (*)(Args...)> : signature<R(Args...)> {};
template <class R, class... Args>
struct signature<R (*)(Args...) noexcept> : signature<R(Args...)> {};

#define WEIR_SIGNATURE(qualifiers)           \
  template <class R, class C, class... Args> \
  struct signature<R (C::*)(Args...) qualifiers> : signature<R(Args...)> {};
WEIR_SIGNATURE()
WEIR_SIGNATURE(const)
WEIR_SIGNATURE(noexcept)
WEIR_SIGNATURE(const noexcept)
#undef WEIR_SIGNATURE

template <class F>
concept has_process = requires { requires std::is_member_function_pointer_v<decltype(&F::process)>; };
template <class F>
concept has_call = requires { &F::operator(); };

// The signature of what a node does: its process(), its call operator, or itself.
template <class F>
struct node_signature;
template <class F>
  requires has_process<F>
struct node_signature<F> : signature<decltype(&F::process)> {};
template <class F>
  requires(!has_process<F> && has_call<F>)
struct node_signature<F> : signature<decltype(&F::operator())> {};
template <class F>
  requires(std::is_pointer_v<F> && std::is_function_v<std::remove_pointer_t<F>>)
struct node_signature<F> : signature<F> {};

template <class T>
struct is_outlet : std::false_type {};
template <class T>
struct is_outlet<outlet<T>> : std::true_type {
  using item = T;
};

template <class T>
struct unwrap_optional {
  using type = T;
};
template <class T>
struct unwrap_optional<std::optional<T>> {
  using type = T;
};

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

// The item types of the outlets among the arguments.
template <class List, class Found = type_list<>>
struct outlets_of;
template <class... Found>
struct outlets_of<type_list<>, type_list<Found...>> {
  using type = type_list<Found...>;
};
template <class First, class... Rest, class... Found>
struct outlets_of<type_list<First, Rest...>, type_list<Found...>> {
  using bare = std::remove_cvref_t<First>;
  template <class T>
  static auto next() {
    if constexpr (is_outlet<T>::value) {
      return outlets_of<type_list<Rest...>, type_list<Found..., typename is_outlet<T>::item>>{};
    } else {
      return outlets_of<type_list<Rest...>, type_list<Found...>>{};
    }
  }
  using type = typename decltype(next<bare>())::type;
};

template <class List>
struct first_of {
  using type = void;
};
template <class First, class... Rest>
struct first_of<type_list<First, Rest...>> {
  using type = First;
};

template <class List>
inline constexpr std::size_t length_of = 0;
template <class... Args>
inline constexpr std::size_t length_of<type_list<Args...>> = sizeof...(Args);

// Out of the result and the outlets: what a node sends.
template <class Result, class Outlets>
struct sends {
  using type = typename first_of<Outlets>::type;
};
template <class Result>
struct sends<Result, type_list<>> {
  using type = typename unwrap_optional<std::remove_cvref_t<Result>>::type;
};

template <class F>
concept deducible = requires { typename node_signature<F>::result; };

template <class F>
struct deduced_node {
  using arguments = typename node_signature<F>::arguments;
  using in = std::remove_cvref_t<typename first_of<arguments>::type>;
  using outlets = typename outlets_of<arguments>::type;
  using out = typename sends<typename node_signature<F>::result, outlets>::type;
};

// ---- calling it ----

// Calls f(args…) or f(args…, context).
template <class F, class... Args>
inline constexpr bool callable_with = std::is_invocable_v<F&, Args...> || std::is_invocable_v<F&, Args..., context&>;

template <class F, class... Args>
decltype(auto) call(F& f, context& where, Args&&... args) {
  if constexpr (std::is_invocable_v<F&, Args..., context&>) {
    return std::invoke(f, std::forward<Args>(args)..., where);
  } else {
    return std::invoke(f, std::forward<Args>(args)...);
  }
}

// A class with process() as a callable.
template <class F>
struct process_of {
  F* node;
  template <class... Args>
    requires requires(F& f, Args&&... args) { f.process(std::forward<Args>(args)...); }
  decltype(auto) operator()(Args&&... args) const {
    return node->process(std::forward<Args>(args)...);
  }
};

// Whether a class has a call operator of any kind, also overloaded ones and templates, which can't be named: adding another
// makes the name ambiguous.
struct call_probe {
  void operator()();
};
template <class F>
struct ambiguous_call : F, call_probe {};
template <class F>
concept has_any_call =
    has_call<F> || (std::is_class_v<F> && !std::is_final_v<F> && !requires { &ambiguous_call<F>::operator(); });

template <class F>
concept process_class = std::is_class_v<F> && (has_process<F> || !has_any_call<F>);

template <class F>
auto body_of(F& f) noexcept {
  if constexpr (process_class<F>) {
    return process_of<F>{&f};
  } else {
    return std::ref(f);
  }
}
template <class F>
using body_type = decltype(body_of(std::declval<F&>()));

}  // namespace weir::detail
