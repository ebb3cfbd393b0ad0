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

/// What a channel needs to know of `T`.
template <class T>
constexpr slot_layout layout_of() noexcept {
  static_assert(std::is_nothrow_destructible_v<T>, "items must not throw from their destructor");
  if constexpr (std::is_trivially_destructible_v<T>) {
    return {sizeof(T), alignof(T), nullptr};
  } else {
    return {sizeof(T), alignof(T), [](void* item) noexcept { std::destroy_at(static_cast<T*>(item)); }};
  }
}

/// The typed face of `basic_channel`: a single-producer, single-consumer queue of `T` by value, for
/// use on its own. `try_push`, `fill` and `close` are for one thread, `try_pop`, `drain` and
/// `abandon` for one other. Items may be move-only.
template <class T, class Atomics = native_atomics>
class basic_ring {
 public:
  static constexpr std::size_t unbounded = basic_channel<Atomics>::unbounded;

  /// @param capacity the most items held, or `unbounded`
  /// @throws std::bad_alloc
  explicit basic_ring(std::size_t capacity, std::size_t segment = 256) : channel_(layout_of<T>(), capacity, segment) {}

  // ---- producer ----

  /// Puts one item in. Gives it back where there is no room or no consumer.
  std::optional<refused<T>> try_push(T item) {
    auto& producer = channel_.producer;
    if (producer.at == producer.limit) [[unlikely]] {
      if (channel_.abandoned()) return refused<T>{std::move(item), refusal::closed};
      if (channel_.grant(grant_batch) == 0) return refused<T>{std::move(item), refusal::full};
    }
    ::new (static_cast<void*>(producer.at)) T(std::move(item));
    channel_.commit();
    return std::nullopt;
  }

  /// Puts in what `make() -> T` returns, again and again while there is room, at most `most` times,
  /// and returns how often. The consumer sees them in batches: per item this is several times
  /// cheaper than `try_push`. What was made before `make` throws is in the ring.
  template <class Make>
  std::size_t fill(Make&& make, std::size_t most = basic_channel<Atomics>::never) {
    std::size_t done = 0;
    while (done < most && !channel_.abandoned()) {
      const std::size_t room = channel_.grant(std::min(most - done, fill_batch));
      if (room == 0) break;
      filling batch{channel_, channel_.producer.at};
      for (std::size_t i = 0; i != room; ++i) batch.add(make());
      done += room;
    }
    return done;
  }

  /// No item follows; what is in the ring stays to be consumed.
  void close() noexcept { channel_.close(); }

  // ---- consumer ----

  std::optional<T> try_pop() {
    const auto found = channel_.claim_written();
    if (found.count == 0) {
      // Who asks again soon gets the item's line together with the tail's, not after it.
      channel_.prefetch_next();
      return std::nullopt;
    }
    T* slot = std::launder(reinterpret_cast<T*>(found.first));
    std::optional<T> item(std::move(*slot));
    std::destroy_at(slot);
    channel_.complete(1);
    return item;
  }

  /// Hands every item that is there, at most `most`, to `consume(T&&)`; returns how many. What
  /// `consume` was called with is gone, also when it throws.
  template <class F>
  std::size_t drain(F&& consume, std::size_t most = basic_channel<Atomics>::never) {
    std::size_t done = 0;
    while (done < most) {
      const auto found = channel_.claim_written();
      if (found.count == 0) break;
      const std::size_t count = std::min(found.count, most - done);
      emptying batch{channel_, std::launder(reinterpret_cast<T*>(found.first))};
      while (batch.count != count) consume(std::move(batch.next()));
      done += count;
    }
    return done;
  }

  /// Whether the producer closed the ring and all items were consumed.
  bool ended() const noexcept { return channel_.ended(); }

  /// The consumer goes; the producer's next push that needs room is refused as closed.
  void abandon() noexcept { channel_.abandon(); }

  std::size_t capacity() const noexcept { return channel_.capacity(); }

 private:
  static constexpr std::size_t grant_batch = 64;
  static constexpr std::size_t fill_batch = 256;

  // Items under construction in granted slots; counted as written together.
  struct filling {
    basic_channel<Atomics>& channel;
    std::byte* at;
    std::size_t count = 0;

    void add(T&& item) noexcept {
      ::new (static_cast<void*>(at)) T(std::move(item));
      at += sizeof(T);
      ++count;
    }
    ~filling() { channel.commit(count); }
  };

  // Items on their way out of claimed slots; counted as completed together.
  struct emptying {
    basic_channel<Atomics>& channel;
    T* first;
    std::size_t count = 0;

    T& next() noexcept { return first[count++]; }
    ~emptying() {
      std::destroy_n(first, count);
      channel.complete(count);
    }
  };

  basic_channel<Atomics> channel_;
};

template <class T>
using ring = basic_ring<T>;

}  // namespace weir
