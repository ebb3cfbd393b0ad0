// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/serve/open_end.hpp"

#include "weir/detail/graph/tag.hpp"
#include "weir/graph/error.hpp"
#include "weir/run/fork_join.hpp"

#include <algorithm>
#include <limits>
#include <stop_token>

namespace weir::detail {
namespace {

// Eight times the capacity of a channel between two nodes. A waiting caller sleeps, and the items
// of half an end must pay for its wake-up. (Measured: a stream costs 38 CPU ns an item with the
// capacity of such a channel, 30 with four times that, 25 with eight times.)
constexpr std::size_t channel_bytes = std::size_t{256} * 1024;
// Capacity if items own an unknown amount of memory: that of a channel between two nodes.
constexpr std::size_t channel_bytes_of_unknown = channel_bytes / 8;
// Number of items that an end holds, whatever they own: a thread may rely on sending as many before
// it receives.
constexpr std::size_t channel_items_least = 16;
// Number of times that a caller looks for an item, with pauses, before it sleeps: about two
// microseconds, within which a busy network answers. Looking longer, or yielding in between, was
// slower than sleeping when cores were scarce.
constexpr int looks = 64;
// Number of items since the last wait from which a caller no longer polls, because it does not
// expect the next item soon.
constexpr std::size_t many_items = 64;
constexpr std::size_t between_looks_most = 64;

constexpr std::size_t everyone = std::numeric_limits<std::size_t>::max();

std::size_t capacity_for(const item_type& type) noexcept {
  const std::size_t bytes = type.owns_unknown() ? channel_bytes_of_unknown : channel_bytes;
  return std::max(bytes / counted_bytes(type, type.size), channel_items_least);
}

}  // namespace

open_end::open_end(const item_type& type)
    : data_(slots_of(type, 0), capacity_for(type)), owned_(type, channel_items_least) {}

std::size_t open_end::grant(std::size_t most, const void* item) {
  if (!owned_.applies()) return data_.grant(most);
  owned_.note(item);
  data_.set_fill_limit(std::min<channel::index>(owned_.items(), data_.capacity()));
  return data_.grant(std::min(most, owned_.run()));
}

void open_end::stop() noexcept {
  stopped_.store(true, std::memory_order_release);
  native_atomics::fence_full();
  if (waiting_.any()) waiting_.wake(everyone);
}

// ---- input ----

// If the caller is a node of another run, it stops waiting when that run is cancelled.
template <class Worthwhile>
void open_end::wait_until(Worthwhile&& worthwhile) {
  const std::stop_token around = stop_token_around();
  const std::stop_callback wake(around, [this] {
    native_atomics::fence_full();  // pairs with the one in announce()
    if (waiting_.any()) waiting_.wake(everyone);
  });
  const waiting_line::ticket announced = waiting_.announce();
  if (worthwhile() || around.stop_requested()) {
    waiting_.withdraw();
  } else {
    waiting_.wait(announced);
  }
  if (around.stop_requested()) throw weir::stopped{};
}

void input_end::wait_for_room() {
  wait_until([this] { return stopped() || data_.closed() || data_.has_room(); });
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

void input_end::note(std::size_t taken) noexcept {
  native_atomics::fence_full();  // pairs with the one in announce()
  offer_room();
  taken_ += taken;
  if (!asymmetric_ || taken_ < patience_) return;
  watching_.store(true, std::memory_order_relaxed);
  if (taken < batch_size) {
    end_batching();
  } else if (results_ && !batching_) {
    batching_ = true;
    results_->set_batching(true);
  }
}

bool input_end::keep_watching(std::size_t taken) noexcept {
  if (!watching_.load(std::memory_order_relaxed)) return false;
  if (taken >= few_items) return true;
  patience_ = taken_ < patience_ + patience_least ? std::min(patience_ * 2, patience_most) : patience_least;
  taken_ = 0;
  watching_.store(false, std::memory_order_relaxed);
  native_atomics::fence_heavy();  // pairs with the light one in try_send()
  end_batching();
  return data_.has_written();
}

void input_end::end_batching() noexcept {
  if (!batching_) return;
  batching_ = false;
  results_->set_batching(false);
  native_atomics::fence_full();  // pairs with the one in offer_items()
  results_->offer_items();
}

void input_end::offer_room() noexcept {
  if (!waiting_.any()) return;
  const channel::index used = data_.written() - data_.completed();
  const channel::index limit = data_.fill_limit();  // may be less than `used`: an item that owns much has come since
  const auto free = static_cast<std::size_t>(limit - std::min(limit, used));
  if (2 * free >= limit) waiting_.wake(free);
}

// ---- output ----

void output_end::wait_for_item() {
  const bool few = received_.exchange(0, std::memory_order_relaxed) < many_items;
  for (int look = 0; few && look != looks; ++look) {
    if (worth_a_look()) return;
    pause_thread();
  }
  wait_until([this] { return worth_a_look(); });
}

bool output_end::ended() noexcept {
  const turn::guard inside(turn_);
  return !stopped() && data_.claim_written() == 0 && data_.ended();
}

void output_end::offer_items() noexcept {
  native_atomics::fence_full();  // pairs with the one in announce()
  if (!waiting_.any()) return;
  const channel::index completed = data_.completed();  // loaded first, so that it can't be the larger one
  const auto left = static_cast<std::size_t>(data_.written() - completed);
  if (left == 0 || (left < half() && batching_.load(std::memory_order_relaxed))) return;
  waiting_.wake(left);
}

std::size_t output_end::room(std::size_t most, const void* item) {
  const std::size_t free = item == nullptr ? data_.grant(most) : grant(most, item);
  if (asked_ && free != 0) {
    data_.want_no_room();
    asked_ = false;
  }
  return free;
}

bool output_end::ask_for_room() noexcept {
  asked_ = true;
  data_.want_room(half());
  native_atomics::fence_full();  // pairs with the one in look_for_wishes(), and with the one in announce()
  if (data_.room_is_due()) return true;
  // No item follows until callers take some. They may sleep in spite of `batching`: what is half of
  // the limit now was less than half of it when the items were written.
  if (waiting_.any()) waiting_.wake(static_cast<std::size_t>(data_.written() - data_.completed()));
  return false;
}

void output_end::look_for_wishes() noexcept {
  next_look_ = data_.taken() + std::clamp<std::size_t>(half() / 2, 1, between_looks_most);
  native_atomics::fence_full();  // pairs with the one in ask_for_room()
  const channel::index wanted = data_.room_wanted();
  if (wanted > data_.completed() || wanted == told_) return;
  told_ = wanted;
  tell(cause::room);
}

void output_end::close() noexcept {
  data_.close();
  native_atomics::fence_full();
  if (waiting_.any()) waiting_.wake(everyone);
}

}  // namespace weir::detail
