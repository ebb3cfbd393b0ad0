// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/patterns/object_freelist.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace weir::detail {
namespace {

// Larger batches save no more locking, and objects would leave the cache.
constexpr std::size_t largest_batch = 8;

std::size_t threads_at_a_time() noexcept { return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 64); }

// Returns the number of this thread. Threads are numbered in the order of their first call.
std::size_t number_of_this_thread() noexcept {
  static std::atomic<std::size_t> count{0};
  static thread_local const std::size_t number = count.fetch_add(1, std::memory_order_relaxed);
  return number;
}

}  // namespace

object_freelist::object_freelist(std::size_t max_kept)
    : magazine_count_(threads_at_a_time()),
      batch_(std::min(largest_batch, max_kept / (4 * magazine_count_))),
      most_in_freelist_(batch_ == 0 ? max_kept : (max_kept - 2 * magazine_count_ * batch_) / batch_),
      magazines_(batch_ == 0 ? nullptr : std::make_unique<magazine[]>(magazine_count_)) {}

object_freelist::magazine& object_freelist::mine() noexcept {
  return magazines_[number_of_this_thread() % magazine_count_];
}

object_freelist::cell* object_freelist::take() noexcept {
  if (batch_ == 0) return take_batch();
  magazine& own = mine();
  {
    const std::lock_guard lock(own.mutex);
    if (own.count == 0 && own.full == nullptr) own.full = take_batch();
    if (cell* const got = take_from(own)) return got;
  }
  for (std::size_t i = 0; i != magazine_count_; ++i) {
    magazine& other = magazines_[i];
    if (&other == &own) continue;
    const std::lock_guard lock(other.mutex);
    if (cell* const got = take_from(other)) return got;
  }
  return nullptr;
}

// The caller holds the magazine's lock.
object_freelist::cell* object_freelist::take_from(magazine& at) noexcept {
  if (at.count == 0) {
    if (at.full == nullptr) return nullptr;
    at.cells = std::exchange(at.full, nullptr);
    at.count = batch_;
  }
  cell* const got = at.cells;
  at.cells = got->next;
  --at.count;
  // Prefetches the cell that the next call will take.
  if (at.cells != nullptr) __builtin_prefetch(at.cells, 1);
  return got;
}

object_freelist::cell* object_freelist::take_batch() noexcept {
  const std::lock_guard lock(mutex_);
  if (batches_ == nullptr) return nullptr;
  --batch_count_;
  cell* const first = batches_;
  batches_ = first->next_batch;
  return first;
}

// @return the cells that the freelist does not keep: `first` or null
object_freelist::cell* object_freelist::keep_batch(cell& first) noexcept {
  const std::lock_guard lock(mutex_);
  if (closed_ || batch_count_ == most_in_freelist_) return &first;
  ++batch_count_;
  first.next_batch = std::exchange(batches_, &first);
  return nullptr;
}

void object_freelist::adopt(cell& made) noexcept {
  references_.fetch_add(1, std::memory_order_relaxed);  // the caller's own reference keeps it above zero
  made.freelist = this;
}

void object_freelist::give(cell& back) noexcept {
  cell* refused = &back;
  back.next = nullptr;
  if (batch_ == 0) {
    refused = keep_batch(back);
  } else {
    magazine& own = mine();
    const std::lock_guard lock(own.mutex);
    if (!own.closed) {
      refused = nullptr;
      if (own.count == batch_) {
        if (own.full != nullptr) refused = keep_batch(*own.full);
        own.full = std::exchange(own.cells, nullptr);
        own.count = 0;
      }
      back.next = std::exchange(own.cells, &back);
      ++own.count;
    }
  }
  discard_all(refused);
}

// NOLINTBEGIN(clang-analyzer-cplusplus.NewDelete): whoever goes on after dropping a reference has another, its own or a cell's
void object_freelist::discard(cell& of) noexcept {
  destroy(of);
  drop_reference();
}

void object_freelist::discard_all(cell* first) noexcept {
  while (first != nullptr) discard(*std::exchange(first, first->next));
}

void object_freelist::drop_reference() noexcept {
  // The acquire orders the deletion after all other threads' drops.
  if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

void object_freelist::close() noexcept {
  for (std::size_t i = 0; batch_ != 0 && i != magazine_count_; ++i) {
    magazine& at = magazines_[i];
    cell* cells = nullptr;
    cell* full = nullptr;
    {
      const std::lock_guard lock(at.mutex);
      at.closed = true;
      cells = std::exchange(at.cells, nullptr);
      full = std::exchange(at.full, nullptr);
      at.count = 0;
    }
    discard_all(cells);
    discard_all(full);
  }
  cell* batches = nullptr;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    batches = std::exchange(batches_, nullptr);
  }
  while (batches != nullptr) discard_all(std::exchange(batches, batches->next_batch));
  drop_reference();
}
// NOLINTEND(clang-analyzer-cplusplus.NewDelete)

}  // namespace weir::detail
