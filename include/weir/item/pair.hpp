// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/item/codec.hpp"

#include <type_traits>
#include <utility>

namespace weir {

/// Encodes the first value, then the second, with their own codecs.
template <class First, class Second>
struct codec<std::pair<First, Second>, std::enable_if_t<has_codec<First> && has_codec<Second> &&
                                                        !std::is_trivially_copyable_v<std::pair<First, Second>>>> {
  static void encode(const std::pair<First, Second>& item, byte_sink& out) {
    codec<First>::encode(item.first, out);
    codec<Second>::encode(item.second, out);
  }
  static std::pair<First, Second> decode(byte_source& in) {
    First first = codec<First>::decode(in);
    return {std::move(first), codec<Second>::decode(in)};
  }
};

namespace detail {

template <class T>
inline constexpr bool is_pair = false;
template <class First, class Second>
inline constexpr bool is_pair<std::pair<First, Second>> = true;

}  // namespace detail
}  // namespace weir
