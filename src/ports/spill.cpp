// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "ports/spill.hpp"

#include "weir/detail/graph/tag.hpp"

#include <atomic>

namespace weir::detail {
namespace {

// A sender waits in place once its spilled items own at least this many bytes.
constexpr std::size_t owned_most = std::size_t{64} * 1024;
constexpr std::size_t segment_items = 64;

}  // namespace

spill::spill(const item_type& type, std::size_t tag_words, host& owner, std::size_t most)
    : type_(type),
      tag_words_(tag_words),
      owner_(owner),
      most_(most),
      items_(slots_of(type, tag_words), channel::unbounded, segment_items) {}

spill::~spill() {
  if (!empty()) owner_.spilling.store(owner_.spilling.load(std::memory_order_relaxed) - 1, std::memory_order_release);
}

std::byte* spill::add(route& to) {
  if (!items_.position().has_slot()) items_.grant(1);
  to_.push_back({&to, 0});
  return items_.next_item();
}

// Only the runner writes the number of spilling ports. The increase comes before the current item
// is completed, the decrease after the spilled items are written (see `loop`).
bool spill::commit() noexcept {
  channel::writer slots = items_.write();
  owned_ += to_.back().owned = owned_by(slots.item());
  slots.done();
  if (count_++ == 0) {
    owner_.spilling.store(owner_.spilling.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  return count_ >= most_ || owned_ >= owned_most;
}

const void* spill::first() noexcept {
  const std::byte* const item = items_.read(items_.claim_written()).item();
  return tag_words_ != 0 && tag::is_punctuation(item) ? nullptr : item;
}

void spill::move_first(void* slot) noexcept {
  channel::reader items = items_.read(items_.claim_written());
  for (std::size_t i = 0; i != tag_words_; ++i) tag::of(slot, i) = tag::of(items.item(), i);
  if (tag_words_ == 0 || !tag::is_punctuation(items.item())) type_.relocate(slot, items.item());
  items.done();
  owned_ -= to_.front().owned;
  to_.pop_front();
}

void spill::drop_first() noexcept {
  {
    channel::reader items = items_.read(items_.claim_written());
    const bool is_punctuation = tag_words_ != 0 && tag::is_punctuation(items.item());
    if (!is_punctuation && type_.destroy != nullptr) type_.destroy(items.item());
    items.done();
  }
  owned_ -= to_.front().owned;
  to_.pop_front();
  pop();
}

void spill::pop() noexcept {
  if (--count_ != 0) return;
  owner_.spilling.store(owner_.spilling.load(std::memory_order_relaxed) - 1, std::memory_order_release);
}

std::size_t spill::owned_by(const void* item) const noexcept {
  if (type_.owned == nullptr || (tag_words_ != 0 && tag::is_punctuation(item))) return 0;
  return type_.owned(item);
}

}  // namespace weir::detail
