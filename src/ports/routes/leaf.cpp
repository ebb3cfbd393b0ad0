// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "ports/routes/leaf.hpp"

#include <stdexcept>
#include <string>

namespace weir::detail {
namespace {

// Limits of the balancing policy: the work that a consumer gets at once, and the work that waits
// for it. They keep a consumer's backlog from leaving other consumers idle for long at the end of a
// stream.
constexpr std::uint64_t run_nanoseconds = 10'000;
constexpr std::uint64_t fill_limit_nanoseconds = 200'000;
// Fill limit of a channel before the cost per item of its consumer is known.
constexpr std::uint64_t fill_limit_unknown = 8;

void refuse_if_closed(const loop& around) {
  if (around.closed()) {
    throw std::logic_error("sends into the loop " + around.path() +
                           " after it has ended; send from process or quiet, not from finish");
  }
}

void refuse_if_full(const loop& around) {
  if (around.over_limit()) {
    throw std::runtime_error("what waits in the loop " + around.path() + " is more than its " +
                             std::to_string(around.byte_limit()) +
                             " bytes; let fewer items come back, or raise loop_options::byte_limit");
  }
}

}  // namespace

leaf::leaf(out_port& port, const out_port::target& to, bool in_runs, std::optional<tag::word> address) noexcept
    : route(port, to.far),
      data_(*to.data),
      consumer_(*to.consumer),
      around_(to.around),
      in_runs_(in_runs && !address),
      by_bytes_(to.chosen && port.type().owned != nullptr),
      address_(address),
      is_plain_(port.tag_words() == 0 && !address_ && !in_runs_),
      grant_most_(port.tag_words() == 0 ? grant_most : grant_most_slow),
      owned_(port.type()) {}

void leaf::limit_fill(std::uint64_t most) noexcept {
  fill_limit_most_ = most;
  data_.set_fill_limit(std::min<channel::index>(data_.fill_limit(), most));
}

// Makes a new grant. Also publishes the items in the channel, and notifies the consumer if it
// waits.
bool leaf::extend(const void* item) {
  if (around_ != nullptr) refuse_if_closed(*around_);
  if (data_.abandoned()) return false;
  if (around_ != nullptr) refuse_if_full(*around_);
  if (data_.publish() && consumer_.state.waits_for(cause::input)) {
    native_atomics::fence_full();
    consumer_.notify(cause::input);
  }
  std::size_t run = grant_most_;
  std::uint64_t limit = channel::never;
  if (by_bytes_) {
    if (item != nullptr && item != &out_port::unseen) owned_.note(item);
    limit = owned_.items();
    run = std::min(run, owned_.run());
  }
  if (is_adaptive_) {
    const std::uint64_t cost = consumer_.item_cost.load(std::memory_order_relaxed);
    limit = std::min(limit, cost == 0 ? fill_limit_unknown : fill_limit_nanoseconds / cost);
    run = cost == 0 ? 1 : static_cast<std::size_t>(std::clamp<std::uint64_t>(run_nanoseconds / cost, 1, run));
  }
  // Not for an unbounded channel: a channel that closes a cycle must accept every item.
  if (limit != channel::never && data_.capacity() != channel::unbounded) {
    data_.set_fill_limit(
        std::clamp<std::uint64_t>(limit, 1, std::min<std::uint64_t>(data_.capacity(), fill_limit_most_)));
  }
  return data_.grant(run) != 0;
}

bool leaf::ask(const void* /*item*/) {
  if (data_.abandoned()) return false;  // this consumer will never make room
  data_.want_room(std::max<channel::index>(1, data_.fill_limit() / 2));
  port_.asks(data_);
  return false;
}

void leaf::ask_for_completion() {
  if (data_.abandoned()) return;
  data_.want_completion();
  port_.asks(data_);
}

// Reading the consumer's state needs no fence: if the consumer stops running at this moment, its
// thread checks all items written by running activations before it sleeps (see basic_sleepers).
void leaf::wake_early() noexcept {
  if (port_.turn_ends()) return;
  if (!consumer_.state.waits_for(cause::input)) {
    if (port_.asleep().asymmetric()) return;
    native_atomics::fence_full();
    if (!consumer_.state.waits_for(cause::input)) return;
  }
  data_.publish();
  native_atomics::fence_full();
  consumer_.notify(cause::input);
}

}  // namespace weir::detail
