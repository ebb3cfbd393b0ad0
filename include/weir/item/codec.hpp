// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/item/bytes.hpp"

#include <concepts>
#include <type_traits>

namespace weir {

/// How items of type `T` cross from one process to another. Specialise it for a type of your own:
///
///     template <> struct weir::codec<shape> {
///       static void encode(const shape& item, weir::byte_sink& out);
///       static shape decode(weir::byte_source& in);        // throws codec_error
///     };
///
/// Trivially copyable types that hold no pointer are sent as they lie (both ends have the same layout: that is checked
/// when they connect). Types that cereal can serialize get their codec from `weir/item/cereal.hpp`, included before the
/// first block that uses the type. A type without a codec works everywhere but across a cut.
template <class T, class Enable = void>
struct codec;

template <class T>
struct codec<T, std::enable_if_t<std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> &&
                                 !std::is_pointer_v<T>>> {
  static void encode(const T& item, byte_sink& out) { append(out, item); }
  static T decode(byte_source& in) {
    T item;
    in.read(item);
    return item;
  }
};

template <class T>
concept has_codec = requires(const T& item, byte_sink& out, byte_source& in) {
  codec<T>::encode(item, out);
  { codec<T>::decode(in) } -> std::same_as<T>;
};

}  // namespace weir
