// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/serve/open_end.hpp"

#include "weir/graph/tag.hpp"

#include <algorithm>
#include <limits>

namespace weir {
namespace {

// As much as a channel between two nodes holds.
constexpr std::size_t channel_bytes = std::size_t{32} * 1024;
constexpr std::size_t channel_items_least = 16;
// How often a caller looks for an item before it sleeps.
constexpr int looks = 64;

constexpr std::size_t everyone = std::numeric_limits<std::size_t>::max();

}  // namespace

open_end::open_end(const item_type& type)
    : data_(slots_of(type, 0), std::max(channel_bytes / type.size, channel_items_least)) {}

void open_end::stop() noexcept {
  stopped_.store(true, std::memory_order_release);
  native_atomics::fence_full();
  if (waiting_.any()) waiting_.wake(everyone);
}

// ---- input ----

void input_end::wait_for_room() noexcept {
  const waiting_line::ticket announced = waiting_.announce();
  if (stopped() || data_.closed() || data_.written() - data_.completed() < data_.capacity()) {
    waiting_.withdraw();
  } else {
    waiting_.wait(announced);
  }
}

void input_end::close() noexcept {
  {
    const turn::guard inside(turn_);
    data_.close();
  }
  native_atomics::fence_full();
  tell(cause::input);
  if (waiting_.any()) waiting_.wake(everyone);
}

bool input_end::keep_watching(std::size_t taken) noexcept {
  if (asymmetric_ && taken >= watched_items) {
    watching_.store(true, std::memory_order_relaxed);
    return true;
  }
  if (!watching_.load(std::memory_order_relaxed)) return false;
  watching_.store(false, std::memory_order_relaxed);
  native_atomics::fence_heavy();
  return data_.has_written();
}

void input_end::offer_room() noexcept {
  native_atomics::fence_full();  // pairs with the one in announce()
  if (!waiting_.any()) return;
  const std::size_t free = data_.capacity() - static_cast<std::size_t>(data_.written() - data_.completed());
  if (free >= half()) waiting_.wake(free);
}

// ---- output ----

void output_end::wait_for_item() noexcept {
  for (int look = 0; look != looks; ++look) {
    if (worth_a_look()) return;
    pause_thread();
  }
  const waiting_line::ticket announced = waiting_.announce();
  if (worth_a_look()) {
    waiting_.withdraw();
  } else {
    waiting_.wait(announced);
  }
}

bool output_end::ended() noexcept {
  const turn::guard inside(turn_);
  return !stopped() && data_.claim_written().count == 0 && data_.ended();
}

void output_end::offer_items() noexcept {
  native_atomics::fence_full();  // pairs with the one in announce()
  if (!waiting_.any()) return;
  const channel::index completed = data_.completed();  // before the other: it can't be the larger one then
  if (const channel::index left = data_.written() - completed; left != 0) waiting_.wake(static_cast<std::size_t>(left));
}

std::size_t output_end::room(std::size_t most) {
  const std::size_t free = data_.grant(most);
  if (asked_ && free != 0) {
    data_.want_no_room();
    asked_ = false;
  }
  return free;
}

bool output_end::ask_for_room() noexcept {
  asked_ = true;
  data_.want_room(half());
  native_atomics::fence_heavy();  // pairs with the light one in try_receive()
  return data_.room_is_due();
}

void output_end::tell_of_room() noexcept {
  native_atomics::fence_full();
  tell(cause::room);
}

void output_end::close() noexcept {
  data_.close();
  native_atomics::fence_full();
  if (waiting_.any()) waiting_.wake(everyone);
}

}  // namespace weir
