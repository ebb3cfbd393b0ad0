// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/blocks/signature.hpp"

#include <concepts>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

template <class List>
struct second_of {
  using type = void;
};
template <class First, class Second, class... Rest>
struct second_of<type_list<First, Second, Rest...>> {
  using type = std::remove_cvref_t<Second>;
};

// The item type of an aggregate: its member type `item`, else the second parameter of its `add`.
template <class A>
struct aggregated {
  using item = void;
};
template <class A>
  requires requires { typename A::item; }
struct aggregated<A> {
  using item = typename A::item;
};
template <class A>
  requires(
      !requires { typename A::item; } && requires { &A::add; })
struct aggregated<A> {
  using item = typename second_of<typename signature<decltype(&A::add)>::arguments>::type;
};

template <class A>
using state_of = std::remove_cvref_t<decltype(std::declval<const A&>().identity())>;

}  // namespace detail

/// An aggregate: the computation of a window, as a state to which items are added one by one. It is
/// a class with
///
///     state identity() const                            the state without any item
///     void add(state& to, const T& item) const
///     void combine(state& to, const state& later) const   optional: joins the states of neighbours, as if the
///                                                         items of `later` had been added to `to`; associative,
///                                                         need not commute
///     void remove(state& from, const T& item) const       optional, for count windows: undoes the oldest `add`
///     V result(const state&) const                        optional: the value of a window; else the state itself
///
/// `T` is deduced from `add`, or named by a member type `item` if `add` is overloaded or a
/// template. States are copied. Each node has a copy of the aggregate, and calls it from one thread
/// at a time. To make one of lambdas, use `aggregate(…)`.
/// Source: the functions lift, combine, lower and inverse of K. Tangwongsan, M. Hirzel, S.
/// Schneider, K.-L. Wu, General incremental sliding-window aggregation, VLDB 2015.
template <class A>
concept aggregator = requires(const A& a) {
  { a.identity() } -> std::copy_constructible;
  requires !std::is_void_v<typename detail::aggregated<A>::item>;
};

namespace detail {

template <class A>
concept adds = requires(const A& a, state_of<A>& to, const typename aggregated<A>::item& item) { a.add(to, item); };
template <class A>
concept combines = requires(const A& a, state_of<A>& to, const state_of<A>& later) { a.combine(to, later); };
template <class A>
concept removes =
    requires(const A& a, state_of<A>& from, const typename aggregated<A>::item& item) { a.remove(from, item); };

template <class A>
concept tells = requires(const A& a, const state_of<A>& state) { a.result(state); };

template <class A>
struct told_by {
  using type = state_of<A>;
};
template <tells A>
struct told_by<A> {
  using type = std::remove_cvref_t<decltype(std::declval<const A&>().result(std::declval<const state_of<A>&>()))>;
};

struct not_given {};

// An aggregate made of callables.
template <class T, class State, class Add, class Combine, class Result>
struct aggregate_of {
  using item = T;

  State identity() const { return none; }
  void add(State& to, const T& what) const { std::invoke(adds, to, what); }
  void combine(State& to, const State& later) const
    requires(!std::same_as<Combine, not_given>)
  {
    std::invoke(joins, to, later);
  }
  decltype(auto) result(const State& state) const
    requires(!std::same_as<Result, not_given>)
  {
    return std::invoke(tells, state);
  }

  State none;
  Add adds;
  [[no_unique_address]] Combine joins;
  [[no_unique_address]] Result tells;
};

// An aggregate whose state is kept together with the number of its items.
template <aggregator A>
class tallying {
 public:
  using item = typename aggregated<A>::item;
  using state = state_of<A>;
  using value = typename told_by<A>::type;
  struct tally {
    state value;
    std::uint64_t count = 0;
  };
  static_assert(adds<A>, "weir: add of an aggregate takes (state&, const item&), with the state that identity returns");
  static_assert(
      combines<A> || !requires { &A::combine; },
      "weir: combine of an aggregate takes (state&, const state&), with the state that identity returns");
  static_assert(
      removes<A> || !requires { &A::remove; },
      "weir: remove of an aggregate takes (state&, const item&), with the state that identity returns");

  static_assert(
      tells<A> || !requires { &A::result; },
      "weir: result of an aggregate takes a const state&, with the state that identity returns");

  explicit tallying(A how) : how_(std::move(how)) {}

  tally none() const { return {how_.identity(), 0}; }
  void add(tally& to, const item& what) const {
    how_.add(to.value, what);
    ++to.count;
  }
  void combine(tally& to, const tally& later) const
    requires combines<A>
  {
    how_.combine(to.value, later.value);
    to.count += later.count;
  }
  void remove(tally& from, const item& what) const
    requires removes<A>
  {
    how_.remove(from.value, what);
    --from.count;
  }
  value result(tally&& of) const {
    if constexpr (tells<A>) {
      return how_.result(of.value);
    } else {
      return std::move(of.value);
    }
  }

 private:
  A how_;
};

}  // namespace detail

/// Makes an aggregate of lambdas: the state without any item, `add(state&, const T&)`, and
/// optionally `combine(state&, const state&)` and `result(const state&)`. The types of state and
/// item are those of the parameters of `add`. The lambdas may be called from any thread, through
/// const references.
template <class State, class Add, class Combine = detail::not_given, class Result = detail::not_given>
auto aggregate(State identity, Add add, Combine combine = {}, Result result = {}) {
  static_assert(
      detail::deducible<Add>,
      "weir: the types of an aggregate can't be deduced (its add is overloaded or a template): write a class");
  if constexpr (detail::deducible<Add>) {
    using arguments = typename detail::node_signature<Add>::arguments;
    using state = std::remove_cvref_t<typename detail::first_of<arguments>::type>;
    using item = typename detail::second_of<arguments>::type;
    static_assert(std::is_convertible_v<State, state>,
                  "weir: add of an aggregate takes (state&, const item&), and the identity is a state");
    static_assert(std::same_as<Combine, detail::not_given> || std::is_invocable_v<const Combine&, state&, const state&>,
                  "weir: combine of an aggregate takes (state&, const state&), with the state of its add");
    static_assert(std::same_as<Result, detail::not_given> || std::is_invocable_v<const Result&, const state&>,
                  "weir: result of an aggregate takes a const state&, with the state of its add");
    return detail::aggregate_of<item, state, Add, Combine, Result>{state(std::move(identity)), std::move(add),
                                                                   std::move(combine), std::move(result)};
  }
}

}  // namespace weir
