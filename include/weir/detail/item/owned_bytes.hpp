// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace weir::detail {

/// **The memory that an item owns** in addition to its own `sizeof`. It bounds the items in a
/// channel without a given capacity, those at the open ends of accelerators and servers, and the
/// items that a node sends ahead of its consumer. It is known for types that own nothing, for
/// strings, vectors, pointers to one value, `std::optional`, pairs and tuples, and for nested
/// combinations of these. A shared pointer counts the `sizeof` of its target; it is unknown if the
/// target owns memory, because the item does not own the target alone. For your own type, write a
/// function in its namespace, which must not throw:
///
///     std::size_t owned_bytes(const frame& f) noexcept { return f.pixels.capacity(); }
///
/// The sending thread calls it for the item that it is about to send: now and then, and for each
/// item that waits beside a full channel. Of types with unknown memory, only few items may wait.
template <class T>
concept owns_nothing = std::is_trivially_destructible_v<T>;

template <class T>
concept says_what_it_owns = requires(const T& item) {
  { owned_bytes(item) } -> std::convertible_to<std::size_t>;
};

// Containers such as strings and vectors. Types that contain elements of their own type are
// excluded.
template <class T>
concept keeps_elements = requires(const T& item) {
  typename T::value_type;
  typename T::allocator_type;
  requires !std::is_same_v<typename T::value_type, T>;
  { item.capacity() } -> std::convertible_to<std::size_t>;
  { item.size() } -> std::convertible_to<std::size_t>;
  { item.data() } -> std::convertible_to<const typename T::value_type*>;
};

template <class T>
concept may_have_a_value = requires(const T& item) {
  typename T::value_type;
  { item.has_value() } -> std::convertible_to<bool>;
  { *item } -> std::convertible_to<const typename T::value_type&>;
};

template <class T>
concept points_to_one = requires(const T& item) {
  typename T::element_type;
  { item.get() } -> std::convertible_to<const typename T::element_type*>;
  item.operator->();  // excludes pointers to arrays, which don't have it
  requires std::is_object_v<typename T::element_type> && !std::is_array_v<typename T::element_type>;
  sizeof(typename T::element_type);
};
template <class T>
concept shares = points_to_one<T> && requires(const T& item) { item.use_count(); };

constexpr std::size_t parts_most = 16;
template <class T>
concept has_parts = requires(const T& item) {
  requires std::tuple_size<T>::value != 0 && std::tuple_size<T>::value <= parts_most;
  get<0>(item);
};

// Depth to which a type is examined. Types nested more deeply are unknown.
constexpr int depth_most = 4;

template <class T, int Depth>
struct owned_by {
  static constexpr bool known = false;
};

template <class T, int Depth>
constexpr bool knows_what_it_owns() noexcept {
  if constexpr (owns_nothing<T>) {
    return true;
  } else if constexpr (Depth == 0) {
    return says_what_it_owns<T>;
  } else {
    return owned_by<T, Depth>::known;
  }
}

template <class T, int Depth = depth_most>
std::size_t owned_bytes_of(const T& item) noexcept {
  if constexpr (owns_nothing<T>) {
    return 0;
  } else if constexpr (Depth == 0) {
    return owned_bytes(item);
  } else {
    return owned_by<T, Depth>::bytes(item);
  }
}

template <says_what_it_owns T, int Depth>
struct owned_by<T, Depth> {
  static constexpr bool known = true;
  static std::size_t bytes(const T& item) noexcept { return owned_bytes(item); }
};

// The elements are assumed to own as much as the first one.
template <keeps_elements T, int Depth>
  requires(!says_what_it_owns<T>)
struct owned_by<T, Depth> {
  using element = typename T::value_type;
  static constexpr bool known = knows_what_it_owns<element, Depth - 1>();
  static std::size_t bytes(const T& item) noexcept {
    const std::size_t each = item.size() == 0 ? 0 : owned_bytes_of<element, Depth - 1>(*item.data());
    return item.capacity() * sizeof(element) + item.size() * each;
  }
};

template <may_have_a_value T, int Depth>
  requires(!says_what_it_owns<T>)
struct owned_by<T, Depth> {
  using value = typename T::value_type;
  static constexpr bool known = knows_what_it_owns<value, Depth - 1>();
  static std::size_t bytes(const T& item) noexcept {
    return item.has_value() ? owned_bytes_of<value, Depth - 1>(*item) : 0;
  }
};

template <points_to_one T, int Depth>
  requires(!says_what_it_owns<T> && !shares<T>)
struct owned_by<T, Depth> {
  using value = std::remove_cv_t<typename T::element_type>;
  static constexpr bool known = knows_what_it_owns<value, Depth - 1>();
  static std::size_t bytes(const T& item) noexcept {
    return item.get() == nullptr ? 0 : sizeof(value) + owned_bytes_of<value, Depth - 1>(*item.get());
  }
};

template <shares T, int Depth>
  requires(!says_what_it_owns<T>)
struct owned_by<T, Depth> {
  static constexpr bool known = owns_nothing<std::remove_cv_t<typename T::element_type>>;
  static std::size_t bytes(const T& item) noexcept {
    return item.get() == nullptr ? 0 : sizeof(typename T::element_type);
  }
};

template <has_parts T, int Depth>
  requires(!says_what_it_owns<T> && !keeps_elements<T>)
struct owned_by<T, Depth> {
  template <class Function>
  static constexpr auto with_parts(Function&& f) {
    return std::forward<Function>(f)(std::make_index_sequence<std::tuple_size<T>::value>());
  }
  template <std::size_t I>
  using part = std::remove_cvref_t<std::tuple_element_t<I, T>>;
  static constexpr bool known = with_parts(
      []<std::size_t... I>(std::index_sequence<I...>) { return (knows_what_it_owns<part<I>, Depth - 1>() && ...); });
  static std::size_t bytes(const T& item) noexcept {
    return with_parts([&]<std::size_t... I>(std::index_sequence<I...>) {
      return (std::size_t{0} + ... + owned_bytes_of<part<I>, Depth - 1>(get<I>(item)));
    });
  }
};

}  // namespace weir::detail
