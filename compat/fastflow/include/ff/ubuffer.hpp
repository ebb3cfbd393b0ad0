// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_UBUFFER_HPP
#define WEIR_FF_UBUFFER_HPP

#include <ff/buffer.hpp>
#include <ff/spin-lock.hpp>

#include <atomic>
#include <cstddef>
#include <memory>

namespace ff {

/// A queue of pointers with one producer and one consumer that grows: a list of queues of `slots`
/// pointers each.
///
/// **Memory order.** The producer links a new queue (release) once it sends nothing more to the one
/// before it. The consumer goes on to it only if it finds a queue that is empty, a link (acquire),
/// and then the queue still empty: after the link nothing more came into that queue.
class uSWSR_Ptr_Buffer {
 public:
  /// @param fixed whether the queue has `slots` slots, and grows not
  explicit uSWSR_Ptr_Buffer(unsigned long slots, bool fixed = false, bool /*fillcache*/ = false)
      : size_(slots), fixed_(fixed) {}
  uSWSR_Ptr_Buffer(const uSWSR_Ptr_Buffer&) = delete;
  uSWSR_Ptr_Buffer& operator=(const uSWSR_Ptr_Buffer&) = delete;
  ~uSWSR_Ptr_Buffer() {
    while (read_ != nullptr) delete_first();
  }

  bool init(bool = false) {
    if (read_ != nullptr || size_ == 0) return false;
    read_ = write_ = new part(size_);
    return true;
  }

  // ---- the producer ----

  /// @return false if `what` is null, or a queue of fixed size is full
  bool push(void* const what) {
    if (what == nullptr) return false;
    if (write_->queue.push(what)) {
      pushed_.store(pushed_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
      return true;
    }
    if (fixed_) return false;
    auto next = std::make_unique<part>(size_);
    next->queue.push(what);
    pushed_.store(pushed_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    part* const full = write_;
    write_ = next.release();
    full->next.store(write_, std::memory_order_release);
    return true;
  }
  /// Same as `push`. FastFlow may keep the pointer back until `flush`; here it is there at once.
  bool mpush(void* const what) { return push(what); }
  bool flush() { return true; }
  /// Same as `push`, for several producers.
  bool mp_push(void* const what) {
    producers_.lock();
    const bool done = push(what);
    producers_.unlock();
    return done;
  }
  bool available() const { return !fixed_ || write_->queue.available(); }

  // ---- the consumer ----

  /// @return false if the queue is empty
  bool pop(void** what) {
    if (!look() || !read_->queue.pop(what)) return false;
    popped_.store(popped_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    return true;
  }
  /// Same as `pop`, for several consumers.
  bool mc_pop(void** what) {
    consumers_.lock();
    const bool done = pop(what);
    consumers_.unlock();
    return done;
  }
  bool empty() { return !look(); }
  void* top() { return look() ? read_->queue.top() : nullptr; }
  bool inc() {
    void* dropped = nullptr;
    return pop(&dropped);
  }

  // ---- any thread; may be out of date ----

  unsigned long length() const {
    const std::size_t popped = popped_.load(std::memory_order_relaxed);
    const std::size_t pushed = pushed_.load(std::memory_order_relaxed);
    return pushed > popped ? pushed - popped : 0;
  }
  unsigned long readMiss() const { return 0; }
  unsigned long readHit() const { return 0; }
  std::size_t buffersize() const { return size_; }
  bool isFixedSize() const { return fixed_; }

  // ---- while nobody else uses it ----

  void reset() {
    void* dropped = nullptr;
    while (pop(&dropped)) {
    }
  }
  std::size_t changesize(std::size_t slots) {
    const std::size_t before = size_;
    size_ = slots;
    return before;
  }

 private:
  struct part {
    explicit part(std::size_t slots) : queue(slots) { queue.init(); }
    SWSR_Ptr_Buffer queue;
    std::atomic<part*> next{nullptr};
  };

  // Goes on to the first part that has a pointer.
  bool look() {
    while (read_->queue.empty()) {
      if (read_->next.load(std::memory_order_acquire) == nullptr) return false;
      if (!read_->queue.empty()) return true;
      delete_first();
    }
    return true;
  }
  void delete_first() {
    part* const first = read_;
    read_ = first->next.load(std::memory_order_acquire);
    delete first;
  }

  std::size_t size_;
  const bool fixed_;
  alignas(CACHE_LINE_SIZE) part* write_ = nullptr;  // of the producer
  std::atomic<std::size_t> pushed_{0};
  lock_t_ producers_;
  alignas(CACHE_LINE_SIZE) part* read_ = nullptr;  // of the consumer
  std::atomic<std::size_t> popped_{0};
  lock_t_ consumers_;
};

}  // namespace ff

#endif
