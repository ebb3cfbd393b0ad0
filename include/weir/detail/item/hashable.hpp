// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace weir::detail {

// Whether `std::hash` accepts a key of this type.
template <class Key>
concept hashable = std::is_integral_v<Key> || requires(const Key& key) { std::hash<Key>{}(key); };

// Checks the type of a key. A class, so that the compiler names the type above the error.
template <class Key>
struct hashed_key {
  static constexpr bool fits = hashable<Key>;
  static_assert(fits,
                "weir: a key is of a type that std::hash accepts, and this one (named above) is not: specialise "
                "std::hash for it, or take another key");
};

// Same as above, for keys in a table, which are also compared.
template <class Key>
struct table_key : hashed_key<Key> {
  static constexpr bool compares = requires(const Key& key) { static_cast<bool>(key == key); };
  static constexpr bool fits = hashed_key<Key>::fits && compares;
  static_assert(compares, "weir: a key is compared with ==, and keys of this type (named above) can't be");
};

}  // namespace weir::detail
