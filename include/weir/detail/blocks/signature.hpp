// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/context.hpp"
#include "weir/blocks/outlet.hpp"
#include "weir/blocks/streams.hpp"
#include "weir/export.hpp"

#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

// The types that the functions of a node take and send, and how they are called.

namespace weir::detail {

// ---- types ----

template <class F>
struct signature;  // undefined if F is overloaded or a template

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

// The signature of a node's function: its process(), its call operator, or the function itself.
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
inline constexpr bool is_outlet = false;
template <class T>
inline constexpr bool is_outlet<outlet<T>> = true;

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

// The item types of the outlets among the arguments of a function.
template <class List>
struct outlets_of {
  using type = type_list<>;
};
template <class T, class... Rest>
struct outlets_of<type_list<outlet<T>&, Rest...>> {
  using type = typename concatenated<type_list<T>, typename outlets_of<type_list<Rest...>>::type>::type;
};
template <class First, class... Rest>
struct outlets_of<type_list<First, Rest...>> : outlets_of<type_list<Rest...>> {};

template <class List>
struct first_of {
  using type = void;
};
template <class First, class... Rest>
struct first_of<type_list<First, Rest...>> {
  using type = First;
};

// The item type that a node sends, or its streams, from its result type and its outlets.
template <class Result, class Outlets>
struct sends {
  using type = as_streams_t<Outlets>;
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

template <class F>
concept node_like =
    deducible<F> && !std::is_void_v<typename deduced_node<F>::in> && !is_outlet<typename deduced_node<F>::in>;

// ---- the function of the node that is called ----

// The functions between a node and the engine are inlined in every build (always_inline, here and
// elsewhere). Otherwise each would be one more function for each node, which takes time to compile
// and space in the object file.

struct by_call {
  template <class F, class... Args>
  [[gnu::always_inline]] static auto on(F& f, Args&&... args) -> decltype(f(static_cast<Args&&>(args)...)) {
    return f(static_cast<Args&&>(args)...);
  }
};

#define WEIR_CALLED_BY(name, member)                                                                                  \
  struct name {                                                                                                       \
    template <class F, class... Args>                                                                                 \
    [[gnu::always_inline]] static auto on(F& f, Args&&... args) -> decltype(f.member(static_cast<Args&&>(args)...)) { \
      return f.member(static_cast<Args&&>(args)...);                                                                  \
    }                                                                                                                 \
  };
WEIR_CALLED_BY(by_process, process)
WEIR_CALLED_BY(by_returned, returned)
WEIR_CALLED_BY(by_next, next)
WEIR_CALLED_BY(by_run, run)
WEIR_CALLED_BY(by_start, start)
WEIR_CALLED_BY(by_quiet, quiet)
WEIR_CALLED_BY(by_finish, finish)
WEIR_CALLED_BY(by_on_deadline, on_deadline)
#undef WEIR_CALLED_BY

// Whether a class has a call operator of any kind, including overloaded ones and templates, which
// can't be named. If the class has one, a second call operator from a base class makes the name
// ambiguous.
struct call_probe {
  void operator()();
};
template <class F>
struct ambiguous_call : F, call_probe {};
template <class F>
concept has_any_call =
    has_call<F> || (std::is_class_v<F> && !std::is_final_v<F> && !requires { &ambiguous_call<F>::operator(); });

// Whether a class has a function of this name, including private and overloaded ones, which can't
// be named. Works like `has_any_call`. Private data members of this name can't be told from
// functions. From a final class nothing can be derived: there only a public function is found, an
// overloaded one by a call with whichever outlets it takes.
struct hook_probe {
  void start();
  void quiet();
  void finish();
  void on_deadline();
};
template <class F>
struct ambiguous_hooks : F, hook_probe {};
template <class F>
concept may_have_hooks = std::is_class_v<F> && !std::is_final_v<F>;

struct any_outlet {
  template <class T>
  operator outlet<T>&() const noexcept;  // NOLINT(google-explicit-constructor)
};

#define WEIR_HAS_HOOK(member)                                                                                       \
  template <class F>                                                                                                \
  concept names_##member = requires { &F::member; };                                                                \
  template <class F>                                                                                                \
  concept has_public_##member = requires {                                                                          \
    requires names_##member<F>;                                                                                     \
    requires std::is_member_function_pointer_v<decltype(&F::member)>;                                               \
  };                                                                                                                \
  template <class F>                                                                                                \
  concept has_##member = has_public_##member<F> ||                                                                  \
                         (may_have_hooks<F> && !names_##member<F> && !requires { &ambiguous_hooks<F>::member; }) || \
                         (std::is_final_v<F> && !names_##member<F> && requires(F& f, any_outlet out) {              \
                           requires requires { f.member(out); } || requires { f.member(out, out); };                \
                         });
WEIR_HAS_HOOK(start)
WEIR_HAS_HOOK(quiet)
WEIR_HAS_HOOK(finish)
WEIR_HAS_HOOK(on_deadline)
#undef WEIR_HAS_HOOK

// Whether a class has what the master of a loop has. Other functions of this name are the author's
// own.
template <class F>
concept has_returned = requires {
  requires length_of<typename outlets_of<typename signature<decltype(&F::returned)>::arguments>::type> != 0;
};

template <class F>
concept process_class = std::is_class_v<F> && (has_process<F> || !has_any_call<F>);

template <class F>
using body_of = std::conditional_t<process_class<F>, by_process, by_call>;

template <class By, class F, class... Args>
concept callable_without_context = requires(F& f, Args&&... args) { By::on(f, static_cast<Args&&>(args)...); };
template <class By, class F, class... Args>
concept callable_in_context =
    requires(F& f, context& where, Args&&... args) { By::on(f, static_cast<Args&&>(args)..., where); };

// Whether f(args…) or f(args…, context) is a valid call.
template <class By, class F, class... Args>
concept callable_with = callable_without_context<By, F, Args...> || callable_in_context<By, F, Args...>;

// Calls f(args…, context) or f(args…).
template <class By, class F, class... Args>
[[gnu::always_inline]] inline decltype(auto) call_here(F& f, context& where, Args&&... args) {
  if constexpr (callable_in_context<By, F, Args...>) {
    return By::on(f, static_cast<Args&&>(args)..., where);
  } else {
    return By::on(f, static_cast<Args&&>(args)...);
  }
}
template <class By, class F, class... Args>
[[gnu::always_inline]] inline decltype(auto) call(F& f, ports& at, Args&&... args) {
  context where(at);
  return call_here<By>(f, where, static_cast<Args&&>(args)...);
}

template <class T>
T&& some_item() noexcept;

template <class By, class F, class... Args>
using result_of = decltype(call_here<By>(some_item<F&>(), some_item<context&>(), some_item<Args>()...));

}  // namespace weir::detail
