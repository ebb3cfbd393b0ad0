// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <type_traits>

namespace weir {

/// Several streams of items side by side, used as the input or output type of a block: `block<task,
/// streams<job, answer>>`. A node with several outlets sends several streams. Never constructed.
///
/// Streams are joined to streams one by one. If all of them have one type, they may also be merged
/// into a block that takes one stream of that type. `streams<>` is written `void`, and `streams<T>`
/// is written `T`.
template <class... Items>
struct streams;

namespace detail {

template <class... Items>
struct type_list {};

template <class List>
inline constexpr std::size_t length_of = 0;
template <class... Items>
inline constexpr std::size_t length_of<type_list<Items...>> = sizeof...(Items);

// List of the item types of the streams that a block takes or sends.
template <class T>
struct streams_in {
  using type = type_list<T>;
};
template <>
struct streams_in<void> {
  using type = type_list<>;
};
template <class... Items>
struct streams_in<streams<Items...>> {
  using type = type_list<Items...>;
};
template <class T>
using streams_in_t = typename streams_in<T>::type;

template <class List>
constexpr bool all_copyable = false;
template <class... Items>
constexpr bool all_copyable<type_list<Items...>> = (std::is_copy_constructible_v<Items> && ...);

// The inverse of `streams_in`.
template <class List>
struct as_streams;
template <>
struct as_streams<type_list<>> {
  using type = void;
};
template <class T>
struct as_streams<type_list<T>> {
  using type = T;
};
template <class A, class B, class... Rest>
struct as_streams<type_list<A, B, Rest...>> {
  using type = streams<A, B, Rest...>;
};
template <class List>
using as_streams_t = typename as_streams<List>::type;

template <class... Lists>
struct concatenated;
template <>
struct concatenated<> {
  using type = type_list<>;
};
template <class... A>
struct concatenated<type_list<A...>> {
  using type = type_list<A...>;
};
template <class... A, class... B, class... Rest>
struct concatenated<type_list<A...>, type_list<B...>, Rest...> : concatenated<type_list<A..., B...>, Rest...> {};

/// The combined streams of several blocks side by side.
template <class... Each>
using side_by_side_t = as_streams_t<typename concatenated<streams_in_t<Each>...>::type>;

template <class T>
inline constexpr std::size_t stream_count = length_of<streams_in_t<T>>;

// Splits a list into all types but the last, and the last type.
template <class List, class Before = type_list<>>
struct split_last;
template <class Last, class... Before>
struct split_last<type_list<Last>, type_list<Before...>> {
  using before = type_list<Before...>;
  using last = Last;
};
template <class First, class Second, class... Rest, class... Before>
struct split_last<type_list<First, Second, Rest...>, type_list<Before...>>
    : split_last<type_list<Second, Rest...>, type_list<Before..., First>> {};

// Whether all types of a list are the same.
template <class List>
inline constexpr bool all_same = true;
template <class First, class... Rest>
inline constexpr bool all_same<type_list<First, Rest...>> = (std::is_same_v<First, Rest> && ...);

/// The item type after all streams of `T` are merged: their common type if there is one, void if
/// there are no streams, otherwise `T` itself.
template <class T>
struct together {
  using type = T;
};
template <class First, class... Rest>
  requires(all_same<type_list<First, Rest...>>)
struct together<streams<First, Rest...>> {
  using type = First;
};
template <class T>
using together_t = typename together<T>::type;

}  // namespace detail
}  // namespace weir
