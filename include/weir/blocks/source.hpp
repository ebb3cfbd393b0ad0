// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/node.hpp"

#include <algorithm>
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

// The signature of a source: next(), run(outlet), or its call operator.
template <class F>
struct source_signature;
template <class F>
  requires has_next<F>
struct source_signature<F> : signature<decltype(&F::next)> {};
template <class F>
  requires(!has_next<F> && has_run<F>)
struct source_signature<F> : signature<decltype(&F::run)> {};
template <class F>
  requires(!has_next<F> && !has_run<F> && has_call<F>)
struct source_signature<F> : signature<decltype(&F::operator())> {};
template <class F>
  requires(std::is_pointer_v<F> && std::is_function_v<std::remove_pointer_t<F>>)
struct source_signature<F> : signature<F> {};

template <class F>
concept source_deducible = requires { typename source_signature<F>::result; };

template <class F>
struct deduced_source {
  using outlets = typename outlets_of<typename source_signature<F>::arguments>::type;
  static constexpr bool loop = length_of<outlets> == 1;
  using result = typename source_signature<F>::result;
  using out = typename sends<result, outlets>::type;
  static constexpr bool pulls = !loop && std::is_same_v<result, std::optional<out>>;
};

template <class F>
struct source_prototype {
  static constexpr bool copyable = std::is_copy_constructible_v<F>;
  F body;
};

template <class F>
class source_behaviour final : public behaviour {
 public:
  using out = typename deduced_source<F>::out;

  explicit source_behaviour(source_prototype<F> made) : body_(std::move(made.body)) {}

  void start(ports& at) override {
    if constexpr (deduced_source<F>::loop) at.owner().ends_when_drained = true;
    if constexpr (requires { body_.start(); }) body_.start();
  }

  progress step(ports& at, std::size_t budget) override {
    context where(at);
    outlet<out> to(at.out());
    if constexpr (deduced_source<F>::loop) {
      const std::uint64_t before = at.out().sent();
      if constexpr (has_run<F>) {
        auto run = [this](auto&... args) -> decltype(body_.run(args...)) { return body_.run(args...); };
        call(run, where, to);
      } else {
        call(body_, where, to);
      }
      at.count(at.out().sent() - before);
      return progress::ended;
    } else {
      for (std::size_t left = budget; left != 0;) {
        if (at.draining()) return progress::ended;
        bool ended = false;
        emit_run<out>(at.out(), std::min(left, at.run_length()), [&](auto&& emit, std::size_t some) {
          const std::size_t made = make(some, where, emit);
          at.count(made);
          left -= made;
          ended = made != some;
        });
        if (ended) return progress::ended;
        if (at.interrupted()) [[unlikely]]
          break;
      }
      return progress::more;
    }
  }

  void finish(ports&) override {
    if constexpr (requires { body_.finish(); }) body_.finish();
  }

 private:
  // Makes and emits up to `count` items; fewer mean the end.
  template <class Emit>
  std::size_t make(std::size_t count, context& where, Emit&& emit) {
    for (std::size_t made = 0; made != count; ++made) {
      std::optional<out> item = next(where);
      if (!item) return made;
      emit(std::move(*item));
    }
    return count;
  }

  std::optional<out> next(context& where) {
    if constexpr (has_next<F>) {
      if constexpr (requires { body_.next(where); }) {
        return body_.next(where);
      } else {
        return body_.next();
      }
    } else {
      return call(body_, where);
    }
  }

  F body_;
};

}  // namespace detail

/// Where a stream begins, from a callable or a class:
///
///     () -> std::optional<Out>, or next()       called again and again; empty means the end
///     (weir::outlet<Out>&) -> void, or run(…)   a loop that sends, and returns at the end; it has a thread of its own
///
/// Each may take a `weir::context&` as a further, last parameter. A class may have `start()` and `finish()`; what opens a file
/// or a connection belongs in `start`, because constructing a block has no effects.
template <class F>
auto source(F f) {
  static_assert(
      detail::source_deducible<F>,
      "weir: a source is a callable or a class with next() or run(outlet), not overloaded and not a template");
  if constexpr (detail::source_deducible<F>) {
    using deduced = detail::deduced_source<F>;
    static_assert(deduced::loop || deduced::pulls,
                  "weir: a source returns std::optional<Out>, or takes a weir::outlet<Out>&");
    using prototype = detail::source_prototype<F>;
    auto made = detail::node_block<void, typename deduced::out>(
        "source", detail::maker_from<detail::source_behaviour<F>>(prototype{std::move(f)}, "source"),
        prototype::copyable, false, deduced::pulls);
    if constexpr (deduced::loop) made = made.on_own_thread();
    return made;
  }
}

}  // namespace weir
