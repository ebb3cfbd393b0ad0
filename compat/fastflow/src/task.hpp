// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/item/item_type.hpp"

#include <ff/node.hpp>

#include <cstddef>
#include <cstdint>

namespace ff::detail {

/// An item of all channels: a pointer, or a value in place of one.
struct task {
  void* what;
};

inline const weir::item_type& type_of_tasks() noexcept { return weir::item_type_of<task>(); }

inline std::size_t number_of(const void* what) noexcept { return reinterpret_cast<std::uintptr_t>(what); }

/// Follows the results of one task, in farms whose results come in order.
inline constexpr std::size_t mark = eos - 0x9;

/// Whether the value is a task, not something in place of one.
inline bool is_task(const void* what) noexcept { return what != nullptr && number_of(what) < least_reserved; }

/// Whether the value says that the stream has ended.
inline bool is_end(const void* what) noexcept {
  const std::size_t number = number_of(what);
  return number >= eosw;
}

}  // namespace ff::detail
