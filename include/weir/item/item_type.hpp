// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/item/codec.hpp"

#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace weir {

/// What the engine knows of a type of items. One object a type and process (`item_type_of`), immutable, never destroyed;
/// compare types with `same_item_type`, because shared libraries may each have their own object.
struct item_type {
  std::string name;       ///< as written in C++, for people and for fingerprints
  std::size_t size;       ///< bytes
  std::size_t alignment;  ///< bytes
  const std::type_info* type;
  bool trivially_copyable = false;  ///< to move it is to copy its bytes
  bool encoded_as_it_lies = false;  ///< so is to encode it, and to decode it

  void (*destroy)(void* item) noexcept;              ///< null where it does nothing
  void (*relocate)(void* to, void* from) noexcept;   ///< moves into raw memory, destroys the original
  void (*copy)(void* to, const void* from);          ///< into raw memory; null if the type can't be copied
  void (*encode)(const void* item, byte_sink& out);  ///< null without a codec
  void (*decode)(void* to, byte_source& in);         ///< into raw memory; throws codec_error
};

inline bool same_item_type(const item_type& a, const item_type& b) noexcept { return *a.type == *b.type; }

/// The name of a type as a person would write it.
std::string type_name(const std::type_info& type);

template <class T>
const item_type& item_type_of() {
  static_assert(std::is_object_v<T> && !std::is_const_v<T>, "items are objects, sent by value");
  static_assert(std::is_nothrow_move_constructible_v<T>,
                "items must be movable without throwing: a half-moved item would be lost");
  static_assert(std::is_nothrow_destructible_v<T>, "items must not throw from their destructor");
  static const item_type& made = *[] {
    auto* type = new item_type{};  // never destroyed: threads may outlive main
    type->name = type_name(typeid(T));
    type->size = sizeof(T);
    type->alignment = alignof(T);
    type->type = &typeid(T);
    type->trivially_copyable = std::is_trivially_copyable_v<T>;
    if constexpr (!std::is_trivially_destructible_v<T>) {
      type->destroy = [](void* item) noexcept { std::destroy_at(static_cast<T*>(item)); };
    }
    type->relocate = [](void* to, void* from) noexcept {
      T* original = static_cast<T*>(from);
      ::new (to) T(std::move(*original));
      std::destroy_at(original);
    };
    if constexpr (std::is_copy_constructible_v<T>) {
      type->copy = [](void* to, const void* from) { ::new (to) T(*static_cast<const T*>(from)); };
    }
    if constexpr (has_codec<T>) {
      if constexpr (requires { codec<T>::as_it_lies; }) type->encoded_as_it_lies = codec<T>::as_it_lies;
      type->encode = [](const void* item, byte_sink& out) { codec<T>::encode(*static_cast<const T*>(item), out); };
      type->decode = [](void* to, byte_source& in) { ::new (to) T(codec<T>::decode(in)); };
    }
    return type;
  }();
  return made;
}

}  // namespace weir
