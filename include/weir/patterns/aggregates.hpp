// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/patterns/aggregate.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

// Argument and result type of a function of an item, or of a pointer to a member.
template <class F>
struct measure {
  using item = std::remove_cvref_t<typename first_of<typename node_signature<F>::arguments>::type>;
  using value = std::remove_cvref_t<typename node_signature<F>::result>;
};
template <class Member, class Class>
  requires std::is_object_v<Member>
struct measure<Member Class::*> {
  using item = Class;
  using value = std::remove_cv_t<Member>;
};

template <class T>
struct counting {
  using item = T;
  std::uint64_t identity() const noexcept { return 0; }
  void add(std::uint64_t& to, const T&) const noexcept { ++to; }
  void combine(std::uint64_t& to, std::uint64_t later) const noexcept { to += later; }
};

template <class F>
struct summing {
  using item = typename measure<F>::item;
  using value = typename measure<F>::value;
  value identity() const { return value{}; }
  void add(value& to, const item& what) const { to += std::invoke(of, what); }
  void combine(value& to, const value& later) const { to += later; }
  F of;
};

template <class F>
struct averaging {
  using item = typename measure<F>::item;
  struct state {
    double sum = 0;
    std::uint64_t count = 0;
  };
  state identity() const noexcept { return {}; }
  void add(state& to, const item& what) const {
    to.sum += static_cast<double>(std::invoke(of, what));
    ++to.count;
  }
  void combine(state& to, const state& later) const noexcept {
    to.sum += later.sum;
    to.count += later.count;
  }
  double result(const state& all) const noexcept { return all.sum / static_cast<double>(all.count); }
  F of;
};

// Selects the first value in the order of `Less`; among equal values the earliest.
template <class F, class Less>
struct selecting {
  using item = typename measure<F>::item;
  using value = typename measure<F>::value;
  using state = std::optional<value>;
  state identity() const { return std::nullopt; }
  void add(state& to, const item& what) const { take(to, std::invoke(of, what)); }
  void combine(state& to, const state& later) const {
    if (later) take(to, *later);
  }
  value result(const state& all) const { return *all; }
  static void take(state& to, const value& other) {
    if (!to || Less()(other, *to)) to = other;
  }
  F of;
};

}  // namespace detail

/// Ready-made aggregates for windows: the number of items; and the sum, the mean (a double), the
/// least and the greatest of `of(item)`, or of a member as in `sum_of(&trade::volume)`. All have
/// `combine`; O(1) each.
template <class T>
auto count_of() {
  return detail::counting<T>{};
}
template <class F>
auto sum_of(F of) {
  return detail::summing<F>{std::move(of)};
}
template <class F>
auto mean_of(F of) {
  return detail::averaging<F>{std::move(of)};
}
template <class F>
auto least_of(F of) {
  return detail::selecting<F, std::less<>>{std::move(of)};
}
template <class F>
auto greatest_of(F of) {
  return detail::selecting<F, std::greater<>>{std::move(of)};
}

}  // namespace weir
