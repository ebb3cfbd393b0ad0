// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_BUFFER_HPP
#define WEIR_FF_BUFFER_HPP

#include <ff/config.hpp>

#include <atomic>
#include <cstddef>
#include <memory>

namespace ff {

/// A queue of pointers with one producer and one consumer. A slot that is null is free, as F1
/// describes it (§2.2).
///
/// **Memory order.** A slot has two writers in turn: the producer stores a pointer (release) only
/// where it has read null (acquire), the consumer stores null (release) only where it has read a
/// pointer (acquire). So each sees what the other did to the slot and to the pointer before it.
class SWSR_Ptr_Buffer {
 public:
  explicit SWSR_Ptr_Buffer(unsigned long slots, bool /*fixed*/ = true) : size_(slots) {}
  SWSR_Ptr_Buffer(const SWSR_Ptr_Buffer&) = delete;
  SWSR_Ptr_Buffer& operator=(const SWSR_Ptr_Buffer&) = delete;

  /// Must be called first. @return whether there is memory
  bool init(bool /*start at the end of a line*/ = false) {
    if (slots_ != nullptr || size_ == 0) return false;
    slots_ = std::make_unique<std::atomic<void*>[]>(size_);
    return true;
  }

  // ---- the producer ----

  /// @return false if the queue is full, or `what` is null
  bool push(void* const what) {
    if (what == nullptr || slots_[write_].load(std::memory_order_acquire) != nullptr) return false;
    slots_[write_].store(what, std::memory_order_release);
    write_ = write_ + 1 == size_ ? 0 : write_ + 1;
    return true;
  }
  /// Pushes all, or none. @return false if there is not enough room, or one of them is null
  bool multipush(void* const what[], int count) {
    const auto number = static_cast<std::size_t>(count);
    if (count < 0 || number > size_) return false;
    for (std::size_t i = 0; i != number; ++i) {
      if (what[i] == nullptr || slots_[(write_ + i) % size_].load(std::memory_order_acquire) != nullptr) return false;
    }
    for (std::size_t i = 0; i != number; ++i) push(what[i]);
    return true;
  }
  /// Same as `push`. FastFlow may keep the pointer back until `flush`; here it is there at once.
  bool mpush(void* const what) { return push(what); }
  bool flush() { return true; }
  bool available() const { return slots_[write_].load(std::memory_order_acquire) == nullptr; }

  // ---- the consumer ----

  /// @return false if the queue is empty
  bool pop(void** what) {
    void* const found = slots_[read_].load(std::memory_order_acquire);
    if (found == nullptr) return false;
    *what = found;
    return inc();
  }
  bool empty() const { return slots_[read_].load(std::memory_order_acquire) == nullptr; }
  /// Returns the first pointer, which stays in the queue.
  void* top() const { return slots_[read_].load(std::memory_order_acquire); }
  /// Drops the first pointer.
  bool inc() {
    slots_[read_].store(nullptr, std::memory_order_release);
    read_ = read_ + 1 == size_ ? 0 : read_ + 1;
    return true;
  }

  // ---- while nobody else uses it ----

  void reset(bool /*start at the end of a line*/ = false) {
    for (std::size_t i = 0; i != size_; ++i) slots_[i].store(nullptr, std::memory_order_relaxed);
    read_ = write_ = 0;
  }
  unsigned long length() const {
    unsigned long used = 0;
    for (std::size_t i = 0; i != size_; ++i) used += slots_[i].load(std::memory_order_relaxed) != nullptr ? 1 : 0;
    return used;
  }
  std::size_t buffersize() const { return size_; }
  /// @return the size before
  std::size_t changesize(std::size_t slots) {
    const std::size_t before = size_;
    if (slots_ == nullptr) size_ = slots;
    return before;
  }

 private:
  std::size_t size_;
  std::unique_ptr<std::atomic<void*>[]> slots_;
  alignas(CACHE_LINE_SIZE) std::size_t write_ = 0;  // of the producer
  alignas(CACHE_LINE_SIZE) std::size_t read_ = 0;   // of the consumer
};

/// Lamport's queue. Here the same one.
using Lamport_Buffer = SWSR_Ptr_Buffer;

}  // namespace ff

#endif
