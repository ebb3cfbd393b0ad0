// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/emitter.hpp"
#include "weir/blocks/signature.hpp"
#include "weir/graph/claimed.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace weir::detail {

// A stage is a sequential node as the typed adapter sees it: it takes one `in` at a time and emits any number of `out`.
// Where it emits to is a template parameter, so that fused stages call each other directly and the compiler sees through.

// Lends a node that wants an outlet one that passes items on to an emitter.
template <class T>
class relay {
 public:
  template <class Emit, class Use>
  void lend(ports& at, Emit&& emit, Use&& use) {
    if (port_ == nullptr) port_ = at.inner_port(item_type_of<T>());
    using emitter = std::remove_reference_t<Emit>;
    port_->relay(const_cast<std::remove_const_t<emitter>*>(&emit),
                 [](void* to, void* item) { (*static_cast<emitter*>(to))(std::move(*static_cast<T*>(item))); });
    outlet<T> out(*port_);
    use(out);
  }

 private:
  std::unique_ptr<out_port> port_;
};
template <>
class relay<void> {};

struct nothing {};
template <class T>
using sendable = std::conditional_t<std::is_void_v<T>, nothing, T>;

// One author's node `F` that takes `In` and sends `Out`.
template <class F, class In, class Out>
class leaf_stage {
 public:
  using in = In;
  using out = Out;
  static constexpr bool copyable = std::is_copy_constructible_v<F>;
  /// Whether every item in is at most one item out.
  static constexpr bool at_most_one = !std::is_void_v<Out> && callable_with<body_type<F>, In> &&
                                      !callable_with<body_type<F>, In, outlet<sendable<Out>>&>;

  /// Whether every item in is one item out.
  static constexpr bool exactly_one = [] {
    if constexpr (at_most_one) {
      using result = decltype(call(std::declval<body_type<F>&>(), std::declval<context&>(), std::declval<In>()));
      return !std::is_same_v<std::remove_cvref_t<result>, std::optional<Out>>;
    }
    return false;
  }();

  explicit leaf_stage(F node) : node_(std::move(node)) {}
  leaf_stage(const leaf_stage& other)
    requires copyable
      : node_(other.node_) {}
  leaf_stage(leaf_stage&&) noexcept(std::is_nothrow_move_constructible_v<F>) = default;

  template <class Emit>
  void apply(In&& item, ports& at, Emit&& emit) {
    context where(at);
    auto body = body_of(node_);
    if constexpr (std::is_void_v<Out>) {
      static_assert(callable_with<decltype(body), In>, "this node can't be called with its item type");
      call(body, where, std::move(item));
    } else if constexpr (callable_with<decltype(body), In, outlet<Out>&>) {
      with_outlet(at, emit, [&](outlet<Out>& to) { call(body, where, std::move(item), to); });
    } else {
      static_assert(callable_with<decltype(body), In>, "this node can't be called with its item type");
      using result = std::remove_cvref_t<decltype(call(body, where, std::move(item)))>;
      if constexpr (std::is_same_v<result, std::optional<Out>>) {
        if (std::optional<Out> made = call(body, where, std::move(item))) emit(std::move(*made));
      } else {
        emit(Out(call(body, where, std::move(item))));
      }
    }
  }

  Out map(In&& item, ports& at)
    requires exactly_one
  {
    context where(at);
    auto body = body_of(node_);
    return Out(call(body, where, std::move(item)));
  }

  template <class Emit>
  void start(ports& at, Emit&& emit) {
    context where(at);
    if constexpr (requires(F& f, outlet<sent>& out) { f.start(out); }) {
      with_outlet(at, emit, [&](outlet<sent>& to) { node_.start(to); });
    } else if constexpr (requires(F& f, outlet<sent>& out) { f.start(out, where); }) {
      with_outlet(at, emit, [&](outlet<sent>& to) { node_.start(to, where); });
    } else if constexpr (requires(F& f) { f.start(); }) {
      node_.start();
    } else if constexpr (requires(F& f) { f.start(where); }) {
      node_.start(where);
    }
  }

  template <class Emit>
  void quiet(ports& at, Emit&& emit) {
    context where(at);
    if constexpr (requires(F& f, outlet<sent>& out) { f.quiet(out); }) {
      with_outlet(at, emit, [&](outlet<sent>& to) { node_.quiet(to); });
    } else if constexpr (requires(F& f, outlet<sent>& out) { f.quiet(out, where); }) {
      with_outlet(at, emit, [&](outlet<sent>& to) { node_.quiet(to, where); });
    } else if constexpr (requires(F& f) { f.quiet(); }) {
      node_.quiet();
    } else if constexpr (requires(F& f) { f.quiet(where); }) {
      node_.quiet(where);
    }
  }

  template <class Emit>
  void finish(ports& at, Emit&& emit) {
    context where(at);
    if constexpr (requires(F& f, outlet<sent>& out) { f.finish(out); }) {
      with_outlet(at, emit, [&](outlet<sent>& to) { node_.finish(to); });
    } else if constexpr (requires(F& f, outlet<sent>& out) { f.finish(out, where); }) {
      with_outlet(at, emit, [&](outlet<sent>& to) { node_.finish(to, where); });
    } else if constexpr (requires(F& f) { f.finish(); }) {
      node_.finish();
    } else if constexpr (requires(F& f) { f.finish(where); }) {
      node_.finish(where);
    }
  }

 private:
  using sent = sendable<Out>;

  template <class Emit, class Use>
  void with_outlet(ports& at, Emit& emit, Use&& use) {
    if constexpr (std::is_same_v<std::remove_cvref_t<Emit>, to_outlet<Out>>) {
      use(emit.out);
    } else {
      relay_.lend(at, emit, use);
    }
  }

  F node_;
  [[no_unique_address]] relay<Out> relay_;
};

// `A` followed by `B` as one stage (F2, the node combiner): each item that A emits is at once B's.
template <class A, class B>
class fused_stage {
 public:
  using in = typename A::in;
  using out = typename B::out;
  static constexpr bool copyable = A::copyable && B::copyable;
  static constexpr bool at_most_one = A::at_most_one && B::at_most_one;
  static constexpr bool exactly_one = A::exactly_one && B::exactly_one;

  fused_stage(A first, B second) : first_(std::move(first)), second_(std::move(second)) {}

  out map(in&& item, ports& at)
    requires exactly_one
  {
    return second_.map(first_.map(std::move(item), at), at);
  }

  // Values rather than emitters where that is possible: what a function returns stays in registers.
  template <class Emit>
  void apply(in&& item, ports& at, Emit&& emit) {
    if constexpr (exactly_one) {
      emit(map(std::move(item), at));
    } else if constexpr (A::exactly_one) {
      second_.apply(first_.map(std::move(item), at), at, emit);
    } else {
      first_.apply(std::move(item), at, into_second(at, emit));
    }
  }
  template <class Emit>
  void start(ports& at, Emit&& emit) {
    first_.start(at, into_second(at, emit));
    second_.start(at, emit);
  }
  template <class Emit>
  void quiet(ports& at, Emit&& emit) {
    first_.quiet(at, into_second(at, emit));
    second_.quiet(at, emit);
  }
  template <class Emit>
  void finish(ports& at, Emit&& emit) {
    first_.finish(at, into_second(at, emit));
    second_.finish(at, emit);
  }

 private:
  template <class Emit>
  auto into_second(ports& at, Emit& emit) {
    return [this, &at, &emit](typename A::out&& item) { second_.apply(std::move(item), at, emit); };
  }

  A first_;
  B second_;
};

// ---- running a stage ----

template <class Stage>
class stage_behaviour final : public behaviour {
 public:
  using in = typename Stage::in;
  using out = typename Stage::out;

  explicit stage_behaviour(Stage stage) : stage_(std::move(stage)) {}

  void start(ports& at) override {
    emitting(at, [&](auto&& emit) { stage_.start(at, emit); });
  }

  progress step(ports& at, std::size_t budget) override {
    return at.consume(budget,
                      [&](std::byte* first, std::size_t count, channel& from) { return take(first, count, from, at); });
  }

  void quiet(ports& at) override {
    emitting(at, [&](auto&& emit) { stage_.quiet(at, emit); });
  }

  void finish(ports& at) override {
    at.tag_outside();
    emitting(at, [&](auto&& emit) { stage_.finish(at, emit); });
  }

 private:
  std::size_t take(std::byte* first, std::size_t count, channel& from, ports& at) {
    if constexpr (!std::is_void_v<out>) {
      if (at.in().words() != 0) return take_tagged(first, count, from, at);
    }
    std::size_t taken = 0;
    const auto all = [&](auto&& items, auto&& emit, std::size_t some) {
      for (; some != 0; --some) {
        stage_.apply(items.take(), at, emit);
        items.done();
      }
      taken = items.count();
    };
    if constexpr (std::is_void_v<out>) {
      if (from.internal()) {
        all(claimed_items<in, false>(first, from), to_nothing{}, count);
      } else {
        all(claimed_items<in>(first, from), to_nothing{}, count);
      }
    } else if constexpr (Stage::at_most_one) {
      if (const std::size_t room = from.internal() && at.out().internal() ? to_cursor<out, false>::room(at.out()) : 0;
          room != 0) {
        all(claimed_items<in, false>(first, from), to_cursor<out, false>(at.out()), std::min(count, room));
      } else {
        emit_run<out>(at.out(), count,
                      [&](auto&& emit, std::size_t some) { all(claimed_items<in>(first, from), emit, some); });
      }
    } else {
      emitting(at, [&](auto&& emit) {
        claimed_items<in> items(first, from);
        for (; count != 0 && !at.blocked(); --count) {
          stage_.apply(items.take(), at, emit);
          items.done();
        }
        taken = items.count();
      });
    }
    return taken;
  }

  // What an item gives rise to has its tag. The last of it is the item's one result or, where there may be none or several, a
  // marker behind them.
  std::size_t take_tagged(std::byte* first, std::size_t count, channel& from, ports& at) {
    claimed_slots slots(first, from);
    out_port& to = at.out();
    const auto all = [&](auto&& emit) {
      for (; count != 0 && !at.blocked(); --count, slots.done()) {
        const bool last = at.tag_as(slots.item(), Stage::at_most_one ? 0 : tag::last);
        if (tag::is_marker(slots.item())) {
          at.tag_as(slots.item());
          to.send_marker();
          continue;
        }
        auto* const item = std::launder(reinterpret_cast<in*>(slots.item()));
        to.forget_sent();
        stage_.apply(std::move(*item), at, emit);
        std::destroy_at(item);
        slots.empty();
        if (last && !Stage::exactly_one && !(Stage::at_most_one && to.has_sent())) {
          at.tag_as(slots.item());
          to.send_marker();
        }
      }
    };
    if constexpr (Stage::at_most_one) {
      all(to_tagged<out>{to});
    } else {
      emitting(at, all);
    }
    return slots.count();
  }

  template <class Use>
  void emitting(ports& at, Use&& use) {
    if constexpr (std::is_void_v<out>) {
      use(to_nothing{});
    } else {
      outlet<out> to(at.out());
      use(to_outlet<out>{to});
    }
  }

  Stage stage_;
};

}  // namespace weir::detail
