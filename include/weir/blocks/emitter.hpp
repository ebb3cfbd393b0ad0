// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/outlet.hpp"

#include <algorithm>
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir::detail {

// Emitters: what a stage hands its items to.

// The emitter at the end of a chain: into the node's out-port.
template <class T>
struct to_outlet {
  outlet<T>& out;
  void operator()(T&& item) const { out.send(std::move(item)); }
};

// The emitter of a loop in which every item is emitted at most once, and for as many items as the cursor has room: it
// keeps the cursor in registers. Where nobody is `told` of each item, all are counted at the end of the loop (see
// basic_channel::internal).
template <class T, bool told = true>
class to_cursor {
 public:
  explicit to_cursor(out_port& port) noexcept
      : port_(port),
        side_(*port.cursor()),
        at_(reinterpret_cast<T*>(side_.at)),
        written_(side_.written.load(std::memory_order_relaxed)) {}
  to_cursor(const to_cursor&) = delete;
  to_cursor& operator=(const to_cursor&) = delete;
  ~to_cursor() {
    const auto count = static_cast<std::size_t>(at_ - reinterpret_cast<T*>(side_.at));
    side_.at += count * sizeof(T);
    side_.left_in_segment -= count;
    if constexpr (!told) side_.written.store(written_ + count, std::memory_order_release);
  }

  static std::size_t room(out_port& port) noexcept {
    return static_cast<std::size_t>(port.cursor()->limit - port.cursor()->at) / sizeof(T);
  }

  void operator()(T&& item) {
    ::new (static_cast<void*>(at_)) T(std::move(item));
    ++at_;
    if constexpr (told) {
      side_.written.store(++written_, std::memory_order_release);  // pairs with the acquire in claim_written()
      if (port_.sleeping().any()) [[unlikely]]
        port_.hurry_cursor();
    }
  }

 private:
  out_port& port_;
  channel::producer_side& side_;
  T* at_;
  channel::index written_;
};

// As to_cursor, where each item goes to several consumers: one copy for each.
template <class T>
class to_copies {
 public:
  explicit to_copies(out_port& port) noexcept : port_(port), sides_(port.copies()) {}
  to_copies(const to_copies&) = delete;
  to_copies& operator=(const to_copies&) = delete;
  ~to_copies() { port_.copied(count_); }

  static std::size_t room(out_port& port) noexcept { return port.copies_room(); }

  void operator()(T&& item) {
    for (std::size_t i = 0; i + 1 != sides_.size(); ++i) {
      ::new (static_cast<void*>(sides_[i]->at)) T(std::as_const(item));
      sides_[i]->commit(sizeof(T));
    }
    ::new (static_cast<void*>(sides_.back()->at)) T(std::move(item));
    sides_.back()->commit(sizeof(T));
    ++count_;
    if (port_.sleeping().any()) [[unlikely]]
      port_.hurry_copies();
  }

 private:
  out_port& port_;
  const std::vector<channel::producer_side*>& sides_;
  std::size_t count_ = 0;
};

// The emitter of a loop in which what is emitted has the tag of an item.
template <class T>
struct to_tagged {
  out_port& port;
  void operator()(T&& item) const {
    port.send_tagged(&item, [&](void* to) { ::new (to) T(std::move(item)); });
  }
};

// The emitter of a sink.
struct to_nothing {};

// Where every item is emitted at most once: calls `loop(emit, count)` with the fastest emitter there is now, which is good for
// `count` items, at most `most`. Without any room that is one item the long way, which makes room.
template <class T, class Loop>
void emit_run(out_port& port, std::size_t most, Loop&& loop) {
  if (const std::size_t room = to_cursor<T>::room(port); room != 0) {
    loop(to_cursor<T>(port), std::min(most, room));
    return;
  }
  if constexpr (std::is_copy_constructible_v<T>) {
    if (const std::size_t room = to_copies<T>::room(port); room != 0) {
      loop(to_copies<T>(port), std::min(most, room));
      return;
    }
  }
  outlet<T> to(port);
  loop(to_outlet<T>{to}, 1);
}

}  // namespace weir::detail
