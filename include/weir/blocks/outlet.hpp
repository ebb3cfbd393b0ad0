// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/channel/refused.hpp"
#include "weir/detail/ports/item_sender.hpp"

#include <cstddef>
#include <new>
#include <optional>
#include <utility>

namespace weir {

/// An output of a node, through which it sends items of type `T`. Passed to `process`, `start` and
/// `finish`. Valid during that call and on its thread only.
template <class T>
class outlet {
 public:
  explicit outlet(detail::item_sender& port) noexcept : port_(&port) {}

  /// Sends one item to the consumer that the policy chooses. Waits for room if there is none.
  /// @throws stopped if the consumer has ended, the run is cancelled or, for a loop source, drained
  void send(T item) {
    if (detail::basic_writer<detail::native_atomics> slots(port_->position(), sizeof(T)); slots.more()) [[likely]] {
      ::new (static_cast<void*>(slots.item())) T(std::move(item));
      slots.done();
      port_->after_write();  // does not use the position, which the writer still keeps
      return;
    }
    place(port_->acquire(&item), item);
  }

  /// Sends one item to consumer `index`, regardless of the policy. The outermost policy numbers the
  /// consumers.
  /// @throws std::out_of_range if `index >= width()`; stopped as `send`
  void send_to(std::size_t index, T item) { place(port_->acquire(&item, index), item); }

  /// Sends one item if there is room for it now. Otherwise returns the item, with the reason why it
  /// was refused: the reason tells whether there may be room later.
  /// @throws stopped if the run is cancelled or, in a source written as a loop, drained
  [[nodiscard]] std::optional<refused<T>> try_send(T item) {
    bool closed = false;
    const detail::item_sender::place at = port_->try_acquire(&item, closed);
    if (at.slot == nullptr) return refused<T>{std::move(item), closed ? refusal::closed : refusal::full};
    place(at, item);
    return std::nullopt;
  }

  /// Returns the number of consumers that `send_to` can choose from.
  std::size_t width() const noexcept { return port_->width(); }

 private:
  void place(detail::item_sender::place at, T& item) {
    ::new (at.slot) T(std::move(item));
    port_->commit(at);
  }

  detail::item_sender* port_;
};

}  // namespace weir
