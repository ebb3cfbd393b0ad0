// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace weir {

/// **How much memory an item owns** beside its own `sizeof`: what bounds the items in a channel whose capacity is not given, and
/// those that a node sends ahead of its consumer. Known of types that own nothing, of strings, containers with `data()` and
/// `capacity()`, pointers to one value, `std::optional`, pairs and tuples, and whatever of these lies in each other. For a type of
/// yours, write a function in its namespace:
///
///     std::size_t owned_bytes(const frame& f) noexcept { return f.pixels.capacity(); }
///
/// Called by the thread that holds the item, now and then for items that are sent, and for each that waits beside a full channel. Of types that say
/// nothing, few are let wait.
namespace detail {

template <class T>
concept owns_nothing = std::is_trivially_destructible_v<T>;

/// Types for which somebody has written `std::size_t owned_bytes(const T&)`, in the namespace of T.
template <class T>
concept says_what_it_owns = requires(const T& item) {
  { owned_bytes(item) } -> std::convertible_to<std::size_t>;
};

template <class T>
concept keeps_elements = requires(const T& item) {
  { item.capacity() } -> std::convertible_to<std::size_t>;
  { item.size() } -> std::convertible_to<std::size_t>;
  sizeof(*item.data());
};

template <class T>
concept may_have_a_value = requires(const T& item) {
  item.has_value();
  sizeof(*item);
};

template <class T>
concept points_to_one = requires(const T& item) {
  item.get();
  sizeof(*item);
};

template <class T>
concept has_parts = requires { std::tuple_size<T>::value; };

template <class T>
struct owned_by;

// Whether it is known, to any depth, what an item of this type owns.
template <class T>
concept knows_what_it_owns = owns_nothing<T> || owned_by<T>::known;

template <class T>
std::size_t owned_bytes_of(const T& item) noexcept {
  if constexpr (owns_nothing<T>) {
    return 0;
  } else {
    return owned_by<T>::bytes(item);
  }
}

template <class T>
struct owned_by {
  static constexpr bool known = false;
};

template <says_what_it_owns T>
struct owned_by<T> {
  static constexpr bool known = true;
  static std::size_t bytes(const T& item) noexcept { return owned_bytes(item); }
};

// Its elements are taken to be like the first one.
template <keeps_elements T>
  requires(!says_what_it_owns<T>)
struct owned_by<T> {
  using element = std::remove_cvref_t<decltype(*std::declval<const T&>().data())>;
  static constexpr bool known = knows_what_it_owns<element>;
  static std::size_t bytes(const T& item) noexcept {
    const std::size_t each = item.size() == 0 ? 0 : owned_bytes_of<element>(*item.data());
    return item.capacity() * sizeof(element) + item.size() * each;
  }
};

template <may_have_a_value T>
  requires(!says_what_it_owns<T>)
struct owned_by<T> {
  using value = std::remove_cvref_t<decltype(*std::declval<const T&>())>;
  static constexpr bool known = knows_what_it_owns<value>;
  static std::size_t bytes(const T& item) noexcept { return item.has_value() ? owned_bytes_of<value>(*item) : 0; }
};

template <points_to_one T>
  requires(!says_what_it_owns<T> && !may_have_a_value<T>)
struct owned_by<T> {
  using value = std::remove_cvref_t<decltype(*std::declval<const T&>())>;
  static constexpr bool known = knows_what_it_owns<value>;
  static std::size_t bytes(const T& item) noexcept {
    if (item.get() == nullptr) return 0;
    const std::size_t whole = sizeof(value) + owned_bytes_of<value>(*item);
    if constexpr (requires { item.use_count(); }) {
      return whole / static_cast<std::size_t>(item.use_count());  // the others count their shares
    } else {
      return whole;
    }
  }
};

template <has_parts T>
  requires(!says_what_it_owns<T> && !keeps_elements<T>)
struct owned_by<T> {
  template <class Function>
  static constexpr auto with_parts(Function&& f) {
    return std::forward<Function>(f)(std::make_index_sequence<std::tuple_size<T>::value>());
  }
  static constexpr bool known = with_parts([]<std::size_t... I>(std::index_sequence<I...>) {
    return (true && ... && knows_what_it_owns<std::remove_cv_t<std::tuple_element_t<I, T>>>);
  });
  static std::size_t bytes(const T& item) noexcept {
    using std::get;
    return with_parts([&]<std::size_t... I>(std::index_sequence<I...>) {
      return (std::size_t{0} + ... + owned_bytes_of<std::remove_cv_t<std::tuple_element_t<I, T>>>(get<I>(item)));
    });
  }
};

}  // namespace detail

}  // namespace weir
