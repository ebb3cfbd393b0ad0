// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/channel/refused.hpp"
#include "weir/detail/channel/channel.hpp"

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace weir {

/// Returns the slot layout that a channel needs for items of type `T`.
template <class T>
constexpr detail::slot_layout layout_of() noexcept {
  static_assert(std::is_nothrow_destructible_v<T>, "items must not throw from their destructor");
  if constexpr (std::is_trivially_destructible_v<T>) {
    return {sizeof(T), alignof(T), nullptr};
  } else {
    return {sizeof(T), alignof(T), [](void* item) noexcept { std::destroy_at(static_cast<T*>(item)); }};
  }
}

/// A single-producer, single-consumer queue of `T` by value: a typed interface to `basic_channel`,
/// for use without a network. One thread calls `try_push`, `fill` and `close`. One other thread
/// calls `try_pop`, `drain` and `abandon`. Items may be move-only.
template <class T, class Atomics = detail::native_atomics>
class basic_ring {
 public:
  static constexpr std::size_t unbounded = detail::basic_channel<Atomics>::unbounded;

  /// @param capacity the maximum number of items in the ring, or `unbounded`
  explicit basic_ring(std::size_t capacity, std::size_t segment = 256) : channel_(layout_of<T>(), capacity, segment) {}

  // ---- producer ----

  /// Puts one item into the ring. Returns the item if there is no room or no consumer.
  std::optional<refused<T>> try_push(T item) {
    if (!channel_.position().has_slot()) [[unlikely]] {
      if (channel_.abandoned()) return refused<T>{std::move(item), refusal::closed};
      if (channel_.grant(grant_batch) == 0) return refused<T>{std::move(item), refusal::full};
    }
    auto slots = channel_.write();
    ::new (static_cast<void*>(slots.item())) T(std::move(item));
    slots.done();
    return std::nullopt;
  }

  /// Calls `make() -> T` again and again while there is room, at most `most` times, and puts the
  /// results into the ring. Returns the number of calls. The consumer sees the items in batches, so
  /// an item costs several times less than with `try_push`. If `make` throws, the items made before
  /// stay in the ring.
  template <class Make>
  std::size_t fill(Make&& make, std::size_t most = detail::basic_channel<Atomics>::never) {
    std::size_t done = 0;
    while (done < most && !channel_.abandoned()) {
      const std::size_t room = channel_.grant(std::min(most - done, fill_batch));
      if (room == 0) break;
      for (auto slots = channel_.write(detail::told::together); slots.more(); slots.done()) {
        ::new (static_cast<void*>(slots.item())) T(make());
      }
      done += room;
    }
    return done;
  }

  /// Says that no item follows. Items in the ring can still be consumed.
  void close() noexcept { channel_.close(); }

  // ---- consumer ----

  std::optional<T> try_pop() {
    if (channel_.claim_written() == 0) {
      // If the consumer asks again soon, it gets the cache line of the item together with that of
      // the tail, not after it.
      channel_.prefetch_next();
      return std::nullopt;
    }
    auto slots = channel_.read(1);
    T* slot = std::launder(reinterpret_cast<T*>(slots.item()));
    std::optional<T> item(std::move(*slot));
    std::destroy_at(slot);
    slots.done();
    return item;
  }

  /// Passes every available item, at most `most`, to `consume(T&&)`. Returns the number of items.
  /// An item that was passed to `consume` is removed, even if `consume` throws.
  template <class F>
  std::size_t drain(F&& consume, std::size_t most = detail::basic_channel<Atomics>::never) {
    std::size_t done = 0;
    while (done < most) {
      const std::size_t count = std::min(channel_.claim_written(), most - done);
      if (count == 0) break;
      for (auto items = channel_.read(count, detail::told::together); items.more();) {
        items.template take<T>([&](T&& item) { consume(std::move(item)); });
      }
      done += count;
    }
    return done;
  }

  /// Returns whether the producer has closed the ring and all items have been consumed.
  bool ended() const noexcept { return channel_.ended(); }

  /// Says that the consumer takes no more items. The producer's next push that needs room is
  /// refused as closed.
  void abandon() noexcept { channel_.abandon(); }

  std::size_t capacity() const noexcept { return channel_.capacity(); }

 private:
  static constexpr std::size_t grant_batch = 64;
  static constexpr std::size_t fill_batch = 256;

  detail::basic_channel<Atomics> channel_;
};

/// A ring for two threads of a program, one that produces and one that consumes.
template <class T>
using ring = basic_ring<T>;

}  // namespace weir
