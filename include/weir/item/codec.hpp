// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/item/buffer.hpp"
#include "weir/item/bytes.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
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
/// when they connect); `std::string` has a codec, too. Types that cereal can serialize get their codec from `weir/item/cereal.hpp`, included before the
/// first block that uses the type. A type without a codec works everywhere but across a cut.
template <class T, class Enable = void>
struct codec;

/// Types whose objects are worth nothing elsewhere, because they point to what is here.
template <class T>
inline constexpr bool points_elsewhere = std::is_pointer_v<T>;
template <class T, std::size_t extent>
inline constexpr bool points_elsewhere<std::span<T, extent>> = true;
template <class Character, class Traits>
inline constexpr bool points_elsewhere<std::basic_string_view<Character, Traits>> = true;

template <class T>
struct codec<T, std::enable_if_t<std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> &&
                                 !points_elsewhere<T>>> {
  static constexpr bool as_it_lies = true;  ///< the bytes are those of the object
  static void encode(const T& item, byte_sink& out) { append(out, item); }
  static T decode(byte_source& in) {
    T item;
    in.read(item);
    return item;
  }
};

/// The number of bytes, 64 bits, and the bytes.
template <>
struct codec<std::string> {
  static void encode(const std::string& item, byte_sink& out) {
    append(out, static_cast<std::uint64_t>(item.size()));
    out.append(item.data(), item.size());
  }
  static std::string decode(byte_source& in) {
    std::uint64_t size = 0;
    in.read(size);
    if (size > in.left()) throw codec_error("a length in the bytes is larger than they are");
    const auto bytes = in.take(static_cast<std::size_t>(size));
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
};

/// The number of bytes, 64 bits, and the bytes, which are not copied if they are many.
template <>
struct codec<buffer> {
  static void encode(const buffer& item, byte_sink& out) {
    weir::append(out, static_cast<std::uint64_t>(item.size()));
    out.append(item);
  }
  static buffer decode(byte_source& in) {
    std::uint64_t size = 0;
    in.read(size);
    if (size > in.left()) throw codec_error("a length in the bytes is larger than they are");
    return in.take_buffer(static_cast<std::size_t>(size));
  }
};

template <class T>
concept has_codec = requires(const T& item, byte_sink& out, byte_source& in) {
  codec<T>::encode(item, out);
  { codec<T>::decode(in) } -> std::same_as<T>;
};

}  // namespace weir
