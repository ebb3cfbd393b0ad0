// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/item/item_type.hpp"

#include <ff/node.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ff::detail {

/// An item of all channels: a pointer, or a value in place of one.
///
/// It has no codec, as a pointer is of no use in another process. Tasks of a type that can be
/// serialized are items of type `serialized_task<T>`, which lie in memory as these do.
struct task {
  explicit task(void* made) : what(made) {}
  void* what;
};

inline const weir::item_type& type_of_tasks() noexcept { return weir::item_type_of<task>(); }

/// The ports of a node.
inline constexpr std::size_t tasks_port = 0;
inline constexpr std::size_t order_port = 1;  ///< of farms in order: numbers of workers

/// Returns the task in a slot.
inline void* task_in(const void* slot) noexcept {
  void* what = nullptr;
  std::memcpy(&what, slot, sizeof what);
  return what;
}
inline void put_task(void* slot, void* what) noexcept { std::memcpy(slot, &what, sizeof what); }

inline std::size_t number_of(const void* what) noexcept { return reinterpret_cast<std::uintptr_t>(what); }

/// Follows the results of one task, in farms whose results come in order.
inline constexpr std::size_t mark = eos - 0xb;

// In place of `GO_OUT` and `EOSW` for a node that shall rest. See `rest`.
inline constexpr std::size_t rest_word = eos - 0xc;
inline constexpr std::size_t rest_word_to_all = eos - 0xd;  ///< rest when all inputs have said so

/// Whether the value is a pointer to a task.
inline bool is_pointer(const void* what) noexcept { return what != nullptr && number_of(what) < least_reserved; }

/// Whether the value is a task, not something in place of one. Programs may send numbers from
/// `FF_TAG_MIN` on as tasks.
inline bool is_task(const void* what) noexcept {
  return is_pointer(what) || (number_of(what) >= tag_min && number_of(what) <= tag_max);
}

/// Whether the value asks for waits with or without sleep.
inline bool asks_for_waits(const void* what) noexcept { return number_of(what) == blk || number_of(what) == nblk; }

/// Whether a node sends nothing if its `svc` returns the value.
inline bool is_nothing(const void* what) noexcept {
  return number_of(what) == go_on || number_of(what) == flush || asks_for_waits(what);
}

inline constexpr const char* sends_null = "sends a null pointer, which FastFlow would lose; send a task, or return EOS";

/// Whether the value says that the stream has ended.
inline bool is_end(const void* what) noexcept {
  const std::size_t number = number_of(what);
  return number >= eosw;
}

}  // namespace ff::detail
