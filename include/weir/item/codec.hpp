// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/export.hpp"

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

namespace weir {

class byte_sink;
class byte_source;

namespace detail {

/// Appends `count` bytes to `out`. @throws std::bad_alloc
WEIR_API void append_bytes(byte_sink& out, const void* first, std::size_t count);
/// Reads `count` bytes into `to`. @throws codec_error if there are fewer
WEIR_API void read_bytes(byte_source& in, void* to, std::size_t count);

}  // namespace detail

/// Converts items of type `T` to bytes and back, to send them from one process to another.
/// Specialise it for your own types:
///
///     #include <weir/item/bytes.hpp>
///     template <> struct weir::codec<shape> {
///       static void encode(const shape& item, weir::byte_sink& out);
///       static shape decode(weir::byte_source& in);        // throws codec_error
///     };
///
/// Trivially copyable types that hold no pointer are sent as they are in memory; both ends have the
/// same layout, which is checked when they connect. `std::string` has a codec, too. Types that
/// cereal can serialize get their codec from `weir/item/cereal.hpp`, included before the first
/// block that uses the type. A type without a codec works everywhere except in a channel between
/// groups. A type without a codec of the kinds above has one if one source file of the program (or
/// shared library) that makes blocks of it knows a codec, whatever the order in which the files are
/// linked. A codec for a trivially copyable type replaces the one above, so it must stand beside
/// the type, for all files to see.
template <class T, class Enable = void>
struct codec;

/// Whether objects of the type point to memory of this process, so that they are useless elsewhere:
/// pointers, and views such as std::span and std::string_view.
template <class T>
inline constexpr bool points_elsewhere = std::is_pointer_v<T>;
template <class T>
  requires requires(const T& view) {
    typename T::element_type;
    { view.data() } -> std::same_as<typename T::element_type*>;
  }
inline constexpr bool points_elsewhere<T> = true;
template <class Character, class Traits>
inline constexpr bool points_elsewhere<std::basic_string_view<Character, Traits>> = true;

template <class T>
struct codec<T, std::enable_if_t<std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> &&
                                 !points_elsewhere<T>>> {
  static constexpr bool as_it_lies = true;  ///< the bytes are those of the object in memory
  [[gnu::always_inline]] static void encode(const T& item, byte_sink& out) {
    detail::append_bytes(out, &item, sizeof item);
  }
  [[gnu::always_inline]] static T decode(byte_source& in) {
    T item;
    detail::read_bytes(in, &item, sizeof item);
    return item;
  }
};

/// Encodes the number of bytes, 64 bits, and the bytes.
template <>
struct WEIR_API codec<std::string> {
  static void encode(const std::string& item, byte_sink& out);
  static std::string decode(byte_source& in);
};

/// A type with a codec: `codec<T>` is specialised, and encodes and decodes a `T`.
template <class T>
concept has_codec = requires(const T& item, byte_sink& out, byte_source& in) {
  codec<T>::encode(item, out);
  { codec<T>::decode(in) } -> std::same_as<T>;
};

}  // namespace weir
