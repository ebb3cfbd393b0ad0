// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The functions of `basic_loop`, for loop.cpp and for the explorer.
#include "weir/detail/ports/loop.hpp"

#include <algorithm>
#include <utility>

namespace weir::detail {

template <class Atomics, class Host>
std::size_t basic_loop<Atomics, Host>::add_asked(Host& head) {
  std::vector<question>& all = questions_.change();
  all.push_back({&head});
  return all.size() - 1;
}

template <class Atomics, class Host>
void basic_loop<Atomics, Host>::add_channel(channel_type& into, bool from_outside, const basic_loop* around) {
  into_members_.push_back(&into);
  completed_.change().push_back(0);
  completed_noted_.change().push_back(0);
  if (from_outside) from_outside_.push_back({&into, around});
  if (around == this) feedback_.push_back(&into);
}

template <class Atomics, class Host>
void basic_loop<Atomics, Host>::look() noexcept {
  while (look_once()) {
  }
}

// Returns whether to look again: the loop was quiet, and was left open, because something had been
// sent before all were asked. If there is no head to ask, no other thread would look.
template <class Atomics, class Host>
bool basic_loop<Atomics, Host>::look_once() noexcept {
  Atomics::fence_full();
  if (!is_closed_to_the_outside() || stage_.load(std::memory_order_relaxed) != stage::open) return false;
  const typename Atomics::lock lock(mutex_);
  if (stage_.load(std::memory_order_relaxed) != stage::open) return false;
  const auto sent = sent_if_quiet();
  if (!sent) return false;
  be_quiet(*sent);
  return stage_.load(std::memory_order_relaxed) == stage::open;
}

template <class Atomics, class Host>
bool basic_loop<Atomics, Host>::is_closed_to_the_outside() const noexcept {
  return std::all_of(from_outside_.begin(), from_outside_.end(), [](const channel_from_outside& each) {
    return each.channel->closed() || each.channel->abandoned() || (each.around != nullptr && each.around->closed());
  });
}

template <class Atomics, class Host>
void basic_loop<Atomics, Host>::read_completed(indices& completed) const noexcept {
  for (std::size_t i = 0; i != into_members_.size(); ++i) {
    const channel_type& each = *into_members_[i];
    completed[i] = each.abandoned() ? gone : each.completed();  // acquire: shows below what those items sent
  }
}

// Returns the total number of items written to channels into members, if the loop is quiet.
template <class Atomics, class Host>
std::optional<std::uint64_t> basic_loop<Atomics, Host>::sent_if_quiet_at(const indices& completed) const noexcept {
  if (!is_closed_to_the_outside()) return std::nullopt;
  for (const Host* member : members_) {
    // Each acquire shows below what the member sent before. Pair with the stores by the runner.
    if (!member->reactive.load(std::memory_order_acquire)) return std::nullopt;
    if (member->spilling.load(std::memory_order_acquire) != 0) return std::nullopt;
  }
  std::uint64_t sent = 0;
  for (std::size_t i = 0; i != into_members_.size(); ++i) {
    const index written = into_members_[i]->written();
    if (completed[i] != gone && completed[i] != written && !into_members_[i]->abandoned()) return std::nullopt;
    sent += written;
  }
  return sent;
}

// Same as above, with the completed items as they are now.
template <class Atomics, class Host>
std::optional<std::uint64_t> basic_loop<Atomics, Host>::sent_if_quiet() noexcept {
  if (!is_closed_to_the_outside()) return std::nullopt;
  read_completed(completed_.change());
  return sent_if_quiet_at(completed_.get());
}

// Called while the loop is open.
template <class Atomics, class Host>
void basic_loop<Atomics, Host>::be_quiet(std::uint64_t sent) noexcept {
  if (arbiter_ != nullptr) {
    stage_.store(stage::reported, std::memory_order_relaxed);
    arbiter_->part_is_quiet();
    return;
  }
  sent_when_asked_.set(sent);
  ask_heads();
}

template <class Atomics, class Host>
void basic_loop<Atomics, Host>::ask_heads() noexcept {
  stage_.store(stage::asking, std::memory_order_relaxed);
  for (question& each : questions_.change()) each.open = !each.gone;
  Atomics::fence_full();
  for (const question& each : questions_.get()) {
    if (each.open) each.head->notify(cause::input);
  }
  decide();  // there may be no head left to ask
}

template <class Atomics, class Host>
bool basic_loop<Atomics, Host>::asks(std::size_t number) noexcept {
  if (stage_.load(std::memory_order_relaxed) != stage::asking) return false;
  const typename Atomics::lock lock(mutex_);
  return questions_.get()[number].open;
}

template <class Atomics, class Host>
void basic_loop<Atomics, Host>::answer(std::size_t number) noexcept {
  const typename Atomics::lock lock(mutex_);
  questions_.change()[number].open = false;
  decide();
}

template <class Atomics, class Host>
void basic_loop<Atomics, Host>::left(std::size_t number) noexcept {
  const typename Atomics::lock lock(mutex_);
  question& mine = questions_.change()[number];
  mine.gone = true;
  if (std::exchange(mine.open, false)) decide();
}

// Called while heads are being asked.
template <class Atomics, class Host>
void basic_loop<Atomics, Host>::decide() noexcept {
  const std::vector<question>& all = questions_.get();
  if (std::any_of(all.begin(), all.end(), [](const question& each) { return each.open; })) return;
  if (arbiter_ != nullptr) {
    stage_.store(stage::reported, std::memory_order_relaxed);
    arbiter_->part_has_answered();
    return;
  }
  const auto sent = sent_if_quiet();
  if (sent && *sent == sent_when_asked_.get()) return end();
  stage_.store(stage::open, std::memory_order_relaxed);  // the caller looks again
}

template <class Atomics, class Host>
void basic_loop<Atomics, Host>::end() noexcept {
  stage_.store(stage::closed, std::memory_order_relaxed);
  Atomics::fence_full();
  for (Host* head : heads_) head->notify(cause::input);
}

// ---- for the arbiter ----

template <class Atomics, class Host>
void basic_loop<Atomics, Host>::note_completed() noexcept {
  read_completed(completed_noted_.change());
}

template <class Atomics, class Host>
typename basic_loop<Atomics, Host>::tally basic_loop<Atomics, Host>::compare() noexcept {
  const typename Atomics::lock lock(mutex_);
  if (const auto sent = sent_if_quiet_at(completed_noted_.get())) {
    stage_.store(stage::reported, std::memory_order_relaxed);
    return {true, true, *sent};
  }
  stage_.store(stage::open, std::memory_order_relaxed);
  Atomics::fence_full();  // pairs with the one in look()
  if (!Atomics::keep("look again when it is open") || !sent_if_quiet()) return {false, false, 0};
  stage_.store(stage::reported, std::memory_order_relaxed);
  return {false, true, 0};
}

template <class Atomics, class Host>
void basic_loop<Atomics, Host>::ask() noexcept {
  const typename Atomics::lock lock(mutex_);
  ask_heads();
}

template <class Atomics, class Host>
void basic_loop<Atomics, Host>::close() noexcept {
  end();  // without the lock: while the stage is `reported`, only the arbiter's thread changes it
}

template <class Atomics, class Host>
bool basic_loop<Atomics, Host>::over_limit() const noexcept {
  std::size_t bytes = 0;
  for (const channel_type* each : feedback_) {
    if (each->abandoned()) continue;
    const index completed = each->completed();  // before `written`: the difference is not negative
    bytes += static_cast<std::size_t>(each->written() - completed) * each->layout().size;
  }
  return bytes > byte_limit_;
}

}  // namespace weir::detail
