// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/maker.hpp"
#include "weir/blocks/stage.hpp"
#include "weir/blocks/streams.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace weir::detail {

// A node with several in-ports or several outlets. `Calls` says which of its functions takes the items of which in-port:
// `Calls::template function<i>(node)` is a callable.
template <class F, class In, class Out, class Calls>
struct branching_prototype {
  static constexpr bool copyable = std::is_copy_constructible_v<F>;
  F node;
};

template <class F, class Ins, class Outs, class Calls>
class branching_behaviour;

template <class F, class... Ins, class... Outs, class Calls>
class branching_behaviour<F, type_list<Ins...>, type_list<Outs...>, Calls> final : public behaviour {
 public:
  using prototype = branching_prototype<F, type_list<Ins...>, type_list<Outs...>, Calls>;

  explicit branching_behaviour(prototype made) : node_(std::move(made.node)) {}

  void start(ports& at) override {
    with_outlets(at, [&](outlet<Outs>&... out) {
      context where(at);
      if constexpr (requires { node_.start(out...); }) {
        node_.start(out...);
      } else if constexpr (requires { node_.start(out..., where); }) {
        node_.start(out..., where);
      } else if constexpr (requires { node_.start(); }) {
        node_.start();
      } else if constexpr (requires { node_.start(where); }) {
        node_.start(where);
      }
    });
  }

  // What comes back from a loop first; from the others in turn, and then no more at once than a look back is worth.
  progress step(ports& at, std::size_t budget) override {
    return take_all(at, budget, std::index_sequence_for<Ins...>{});
  }

  void quiet(ports& at) override {
    with_outlets(at, [&](outlet<Outs>&... out) {
      context where(at);
      if constexpr (requires { node_.quiet(out...); }) {
        node_.quiet(out...);
      } else if constexpr (requires { node_.quiet(out..., where); }) {
        node_.quiet(out..., where);
      } else if constexpr (requires { node_.quiet(); }) {
        node_.quiet();
      } else if constexpr (requires { node_.quiet(where); }) {
        node_.quiet(where);
      } else {
        static_assert(
            !requires { &F::quiet; }, "weir: quiet takes the outlets that process has, or none");
      }
    });
  }

  void finish(ports& at) override {
    with_outlets(at, [&](outlet<Outs>&... out) {
      context where(at);
      if constexpr (requires { node_.finish(out...); }) {
        node_.finish(out...);
      } else if constexpr (requires { node_.finish(out..., where); }) {
        node_.finish(out..., where);
      } else if constexpr (requires { node_.finish(); }) {
        node_.finish();
      } else if constexpr (requires { node_.finish(where); }) {
        node_.finish(where);
      }
    });
  }

 private:
  template <class Use>
  static void with_outlets(ports& at, Use&& use) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      std::tuple<outlet<Outs>...> out(outlet<Outs>(at.out(I))...);
      use(std::get<I>(out)...);
    }(std::index_sequence_for<Outs...>{});
  }

  template <std::size_t... I>
  progress take_all(ports& at, std::size_t& budget, std::index_sequence<I...>) {
    for (;;) {
      const std::size_t before = budget;
      std::optional<progress> early;
      std::size_t ended = 0;
      const auto visit = [&]<std::size_t Port>(std::integral_constant<std::size_t, Port>, bool back) {
        if (early || at.in(Port).closes_loop() != back) return;
        std::size_t share = back || sizeof...(Ins) == 1 ? budget : std::min(budget, at.run_length());
        const std::size_t most = share;
        const progress how = take_from<Port>(at, share);
        budget -= most - share;
        if (how == progress::ended) ++ended;
        if (how == progress::waiting_room || budget == 0) early = how == progress::ended ? progress::more : how;
      };
      (visit(std::integral_constant<std::size_t, I>{}, true), ...);
      (visit(std::integral_constant<std::size_t, I>{}, false), ...);
      if (early) return *early;
      if (ended == sizeof...(Ins)) return progress::ended;
      if (budget == before) return progress::waiting_input;
    }
  }

  template <std::size_t Port>
  progress take_from(ports& at, std::size_t& budget) {
    using item = std::tuple_element_t<Port, std::tuple<Ins...>>;
    at.take_from(Port);
    return at.consume(
        budget,
        [&](std::byte* first, std::size_t count, channel& from) {
          claimed_items<item> items(first, from);
          context where(at);
          auto body = Calls::template function<Port>(node_);
          with_outlets(at, [&](outlet<Outs>&... out) {
            for (; count != 0 && !at.blocked(); --count) {
              apply(body, where, items.take(), out...);
              items.done();
            }
          });
          return items.count();
        },
        Port);
  }

  template <class Body, class Item>
  static void apply(Body& body, context& where, Item&& item, outlet<Outs>&... out) {
    if constexpr (callable_with<Body, Item, outlet<Outs>&...>) {
      call(body, where, std::move(item), out...);
    } else if constexpr (sizeof...(Outs) == 1 && callable_with<Body, Item>) {
      using result = std::remove_cvref_t<decltype(call(body, where, std::move(item)))>;
      if constexpr (is_optional<result>) {
        if (auto made = call(body, where, std::move(item))) (out.send(std::move(*made)), ...);
      } else {
        (out.send(call(body, where, std::move(item))), ...);
      }
    } else {
      static_assert(callable_with<Body, Item, outlet<Outs>&...>,
                    "weir: this node can't be called with an item of each stream that it takes, and its outlets");
    }
  }

  F node_;
};

// Every stream is taken by `process`, or by the call operator.
struct calls_process {
  template <std::size_t, class F>
  static auto function(F& node) noexcept {
    return body_of(node);
  }
};

template <class In, class Out, class Calls, class F>
block<In, Out> branching_block(const char* kind, F node) {
  using behaviour_type = branching_behaviour<F, streams_in_t<In>, streams_in_t<Out>, Calls>;
  using prototype = typename behaviour_type::prototype;
  return node_block<In, Out>(kind, maker_from<behaviour_type>(prototype{std::move(node)}, kind), prototype::copyable);
}

}  // namespace weir::detail
