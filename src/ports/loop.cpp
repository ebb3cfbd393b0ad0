// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/ports/loop.hpp"

#include <algorithm>

namespace weir {
namespace {

constexpr channel::index gone = channel::never;  // the consumer takes no more items: items in the channel are discarded

}  // namespace

std::size_t loop::add_asked(host& head) {
  questions_.push_back({&head});
  return questions_.size() - 1;
}

void loop::add_channel(channel& into, bool from_outside, const loop* around) {
  into_members_.push_back(&into);
  completed_.push_back(0);
  completed_noted_.push_back(0);
  if (from_outside) entries_.push_back({&into, around});
  if (around == this) feedback_.push_back(&into);
}

void loop::look() noexcept {
  native_atomics::fence_full();
  if (!is_closed_to_the_outside() || stage_.load(std::memory_order_relaxed) != stage::open) return;
  const std::lock_guard lock(mutex_);
  if (stage_.load(std::memory_order_relaxed) != stage::open) return;
  if (const auto sent = sent_if_quiet()) be_quiet(*sent);
}

bool loop::is_closed_to_the_outside() const noexcept {
  return std::all_of(entries_.begin(), entries_.end(), [](const entry& each) {
    return each.from_outside->closed() || each.from_outside->abandoned() ||
           (each.around != nullptr && each.around->closed());
  });
}

void loop::read_completed(indices& completed) const noexcept {
  for (std::size_t i = 0; i != into_members_.size(); ++i) {
    const channel& each = *into_members_[i];
    completed[i] = each.abandoned() ? gone : each.completed();  // acquire: shows below what those items sent
  }
}

// Returns the total number of items written to channels into members, if the loop is quiet.
std::optional<std::uint64_t> loop::sent_if_quiet_at(const indices& completed) const noexcept {
  if (!is_closed_to_the_outside()) return std::nullopt;
  for (const host* member : members_) {
    if (!member->reactive.load(std::memory_order_acquire)) return std::nullopt;
    if (member->spilling.load(std::memory_order_acquire) != 0) return std::nullopt;
  }
  std::uint64_t sent = 0;
  for (std::size_t i = 0; i != into_members_.size(); ++i) {
    const channel::index written = into_members_[i]->written();
    if (completed[i] != gone && completed[i] != written && !into_members_[i]->abandoned()) return std::nullopt;
    sent += written;
  }
  return sent;
}

// whether items may follow each other here without asking the policy
std::optional<std::uint64_t> loop::sent_if_quiet() noexcept {
  if (!is_closed_to_the_outside()) return std::nullopt;
  read_completed(completed_);
  return sent_if_quiet_at(completed_);
}

// Called while the loop is open.
void loop::be_quiet(std::uint64_t sent) noexcept {
  if (arbiter_ != nullptr) {
    stage_.store(stage::reported, std::memory_order_relaxed);
    arbiter_->part_is_quiet();
    return;
  }
  sent_when_asked_ = sent;
  ask_heads();
}

void loop::ask_heads() noexcept {
  stage_.store(stage::asking, std::memory_order_relaxed);
  for (question& each : questions_) each.open = !each.gone;
  native_atomics::fence_full();
  for (const question& each : questions_) {
    if (each.open) each.head->notify(cause::input);
  }
  decide();  // there may be no head left to ask
}

bool loop::asks(std::size_t number) noexcept {
  if (stage_.load(std::memory_order_relaxed) != stage::asking) return false;
  const std::lock_guard lock(mutex_);
  return questions_[number].open;
}

void loop::answer(std::size_t number) noexcept {
  const std::lock_guard lock(mutex_);
  questions_[number].open = false;
  decide();
}

void loop::left(std::size_t number) noexcept {
  const std::lock_guard lock(mutex_);
  questions_[number].gone = true;
  if (std::exchange(questions_[number].open, false)) decide();
}

// Called while heads are being asked.
void loop::decide() noexcept {
  if (std::any_of(questions_.begin(), questions_.end(), [](const question& each) { return each.open; })) return;
  if (arbiter_ != nullptr) {
    stage_.store(stage::reported, std::memory_order_relaxed);
    arbiter_->part_has_answered();
    return;
  }
  auto sent = sent_if_quiet();
  if (sent && *sent == sent_when_asked_) return end();
  stage_.store(stage::open, std::memory_order_relaxed);
  native_atomics::fence_full();  // pairs with the one in look()
  sent = sent_if_quiet();
  if (sent) be_quiet(*sent);
}

void loop::end() noexcept {
  stage_.store(stage::closed, std::memory_order_release);
  native_atomics::fence_full();
  for (host* head : heads_) head->notify(cause::input);
}

// ---- for the arbiter ----

void loop::note_completed() noexcept {
  const std::lock_guard lock(mutex_);
  read_completed(completed_noted_);
}

loop::tally loop::compare() noexcept {
  const std::lock_guard lock(mutex_);
  if (const auto sent = sent_if_quiet_at(completed_noted_)) {
    stage_.store(stage::reported, std::memory_order_relaxed);
    return {true, true, *sent};
  }
  stage_.store(stage::open, std::memory_order_relaxed);
  native_atomics::fence_full();  // pairs with the one in look()
  if (!sent_if_quiet()) return {false, false, 0};
  stage_.store(stage::reported, std::memory_order_relaxed);
  return {false, true, 0};
}

void loop::ask() noexcept {
  const std::lock_guard lock(mutex_);
  ask_heads();
}

void loop::close() noexcept {
  const std::lock_guard lock(mutex_);
  end();
}

bool loop::over_limit() const noexcept {
  std::size_t bytes = 0;
  for (const channel* each : feedback_) {
    if (each->abandoned()) continue;
    const channel::index completed = each->completed();  // before `written`: the difference is not negative
    bytes += static_cast<std::size_t>(each->written() - completed) * each->layout().size;
  }
  return bytes > byte_limit_;
}

}  // namespace weir
