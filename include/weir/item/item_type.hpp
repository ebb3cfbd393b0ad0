// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/item/owned_bytes.hpp"
#include "weir/export.hpp"
#include "weir/item/codec.hpp"

#include <atomic>
#include <cstddef>
#include <cstring>
#include <new>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace weir {

/// The functions of the codec of one item type.
struct item_codec {
  void (*encode)(const void* item, byte_sink& out);
  void (*decode)(void* to, byte_source& in);  ///< into raw memory; throws codec_error
};

/// Description of an item type at run time, for the engine. There is one constant per type and
/// shared library (`item_type_of`). Compare types with `same_item_type`.
///
/// The constant is the same in each file that uses the type, whether the file knows a codec of the
/// type or not: the codec is found through a pointer that every file that knows it sets before
/// `main`. So a type has a codec if one file of the program, or of the shared library, knows it.
/// Call `codec` from `main` on, not from initialisers of global objects.
struct WEIR_API item_type {
  const std::type_info* type;
  std::size_t size;         ///< bytes
  std::size_t alignment;    ///< bytes
  bool trivially_copyable;  ///< moving an item is copying its bytes
  bool encoded_as_it_lies;  ///< encoding and decoding an item are copying its bytes

  void (*destroy)(void* item) noexcept;             ///< null if it does nothing
  void (*relocate)(void* to, void* from) noexcept;  ///< moves into raw memory, destroys the original
  void (*copy)(void* to, const void* from);         ///< into raw memory; null if the type can't be copied
  std::size_t (*owned)(const void* item) noexcept;  ///< bytes owned outside the item; null if none, or unknown
  const std::atomic<const item_codec*>* codec_in_program;

  /// Returns the codec; null if no file of the program knows one.
  const item_codec* codec() const noexcept { return codec_in_program->load(std::memory_order_acquire); }

  /// Returns whether an item owns memory of unknown size.
  bool owns_unknown() const noexcept { return destroy != nullptr && owned == nullptr; }

  /// Returns the name of the type as written in C++, for people and for fingerprints.
  std::string name() const;
};

/// Returns whether the two descriptions stand for the same type. Each shared library may have a
/// description of its own.
inline bool same_item_type(const item_type& a, const item_type& b) noexcept { return *a.type == *b.type; }

/// Returns the readable name of a type.
WEIR_API std::string type_name(const std::type_info& type);

namespace detail {

template <class T>
struct item_functions {
  static void destroy(void* item) noexcept { static_cast<T*>(item)->~T(); }
  static void relocate(void* to, void* from) noexcept {
    ::new (to) T(std::move(*static_cast<T*>(from)));
    static_cast<T*>(from)->~T();
  }
  static void copy(void* to, const void* from) { ::new (to) T(*static_cast<const T*>(from)); }
  static void encode(const void* item, byte_sink& out) { codec<T>::encode(*static_cast<const T*>(item), out); }
  static void decode(void* to, byte_source& in) { ::new (to) T(codec<T>::decode(in)); }
  static std::size_t owned(const void* item) noexcept { return owned_bytes_of<T>(*static_cast<const T*>(item)); }
};

// The functions of all types whose objects are nothing but their bytes.
template <std::size_t size>
struct WEIR_API byte_functions {
  static void relocate(void* to, void* from) noexcept { std::memcpy(to, from, size); }
  static void copy(void* to, const void* from) { std::memcpy(to, from, size); }
  static void encode(const void* item, byte_sink& out) { append_bytes(out, item, size); }
  static void decode(void* to, byte_source& in) { read_bytes(in, to, size); }
  static constexpr item_codec functions{encode, decode};
  static constinit const std::atomic<const item_codec*> codec;
};
template <std::size_t size>
constinit const std::atomic<const item_codec*> byte_functions<size>::codec{&functions};
// These are in the library, so that users' files need not compile them.
extern template struct byte_functions<1>;
extern template struct byte_functions<2>;
extern template struct byte_functions<4>;
extern template struct byte_functions<8>;
extern template struct byte_functions<16>;

template <class T>
inline constexpr bool is_its_bytes =
    std::is_trivially_copyable_v<T> && std::is_trivially_copy_constructible_v<T> &&
    std::is_trivially_move_constructible_v<T> && has_codec<T> && requires { codec<T>::as_it_lies; };

template <class T>
inline constexpr item_codec codec_functions{item_functions<T>::encode, item_functions<T>::decode};

// The codec of a type whose objects are more than their bytes.
template <class T>
WEIR_API inline constinit std::atomic<const item_codec*> codec_in_program{nullptr};

// Sets the codec. Instantiated only in files that know it, and initialised before `main`, or when a
// shared library is loaded; other threads may then read the pointer already. The release pairs with
// the acquire in item_type::codec().
template <class T>
inline const bool codec_is_set = (codec_in_program<T>.store(&codec_functions<T>, std::memory_order_release), true);

template <class T>
constexpr item_type make_item_type() noexcept {
  item_type made{&typeid(T), sizeof(T), alignof(T), std::is_trivially_copyable_v<T>, false, nullptr, nullptr,
                 nullptr,    nullptr,   nullptr};
  using functions = std::conditional_t<is_its_bytes<T>, byte_functions<sizeof(T)>, item_functions<T>>;
  if constexpr (!std::is_trivially_destructible_v<T>) made.destroy = item_functions<T>::destroy;
  if constexpr (!owns_nothing<T> && knows_what_it_owns<T, depth_most>()) made.owned = item_functions<T>::owned;
  made.relocate = functions::relocate;
  if constexpr (std::is_copy_constructible_v<T>) made.copy = functions::copy;
  if constexpr (is_its_bytes<T>) {
    made.codec_in_program = &functions::codec;
  } else {
    made.codec_in_program = &codec_in_program<T>;
  }
  if constexpr (requires { codec<T>::as_it_lies; }) made.encoded_as_it_lies = codec<T>::as_it_lies;
  return made;
}

template <class T>
inline constexpr item_type item_type_constant = make_item_type<T>();

}  // namespace detail

/// Returns the description of `T`. A type that is const, or whose move constructor or destructor
/// may throw, is a compile error.
template <class T>
constexpr const item_type& item_type_of() noexcept {
  static_assert(std::is_object_v<T> && !std::is_const_v<T>, "items are objects, sent by value");
  static_assert(std::is_nothrow_move_constructible_v<T>,
                "items must be movable without throwing: a half-moved item would be lost");
  static_assert(std::is_nothrow_destructible_v<T>, "items must not throw from their destructor");
  if constexpr (has_codec<T> && !detail::is_its_bytes<T>) static_cast<void>(&detail::codec_is_set<T>);
  return detail::item_type_constant<T>;
}

}  // namespace weir
