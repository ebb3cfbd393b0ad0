// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/arrivals.hpp"
#include "weir/detail/channel/atomics.hpp"
#include "weir/detail/channel/producer_side.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <utility>

namespace weir {

/// Memory layout of the slots of a channel. The channel itself never accesses the items in them.
struct slot_layout {
  std::size_t size;                      ///< distance from one slot to the next in bytes, a multiple of `alignment`
  std::size_t alignment;                 ///< alignment of each slot, a power of two
  void (*destroy)(void* item) noexcept;  ///< destroys an item; null if that needs no code
  std::size_t header = 0;  ///< bytes before the item; if any, the lowest bit of the last 8 marks a slot without item

  bool holds_item(const std::byte* slot) const noexcept {
    return header == 0 || (*reinterpret_cast<const std::uint64_t*>(slot + header - sizeof(std::uint64_t)) & 1) == 0;
  }
  void destroy_item(std::byte* slot) const noexcept {
    if (destroy != nullptr && holds_item(slot)) destroy(slot + header);
  }
};

/// A single-producer, single-consumer queue of equal slots: bounded (a ring) or unbounded (a list
/// of segments).
///
/// One implementation serves both: a ring is one segment whose successor is itself. Items lie in
/// the slots by value. The caller constructs and destroys them there. `ring` in ring.hpp is the
/// typed interface; blocks use the slots directly.
///
/// **Callers.** At any time one thread is the producer and one thread is the consumer. Either role
/// may pass to another thread if the hand-over synchronises (see `basic_readiness`). The producer
/// calls `close`, the consumer calls `abandon`.
///
/// **Invariants**, with 64-bit indices that count items since the beginning and never wrap:
///   completed <= written <= completed + window, and published <= written.
/// Slots in [completed, written) hold items; all other slots are raw memory. `written` counts each
/// item as soon as it lies in its slot, so a consumer can claim the item without further action of
/// the producer. `published` is a hint of the producer, updated once for many items. A consumer
/// that follows `published` shares a cache line with the producer once for a batch, not once for an
/// item.
///
/// **Memory orders.** A store of `written` or `published` releases the items below it. An acquire
/// of either by the consumer allows it to access them. A store of `completed` releases the emptied
/// slots. An acquire of it by the producer allows the producer to write to them again. `closed` is
/// stored (release) after the last `published`, and loaded (acquire) before it, so a channel that
/// is closed and empty has ended. `next` of a segment is stored before the first item in that
/// segment is counted. `abandoned` orders no other data. (F1 §3.1; the cached indices and the two
/// tails are additions of weir.)
template <class Atomics>
class basic_channel {
 public:
  using index = std::uint64_t;
  static constexpr std::size_t unbounded = 0;
  static constexpr index never = std::numeric_limits<index>::max();

  /// Consecutive slots in memory.
  struct slots {
    std::byte* first = nullptr;
    std::size_t count = 0;
  };

  using producer_side = basic_producer_side<Atomics>;

  /// @param capacity the maximum number of items in the channel, or `unbounded`
  /// @param segment number of slots in a segment of an unbounded channel
  /// @param internal see `internal`
  /// @throws std::bad_alloc
  basic_channel(slot_layout layout, std::size_t capacity, std::size_t segment = 256, bool internal = false)
      : layout_(layout),
        capacity_(capacity),
        segment_slots_(capacity == unbounded ? segment : capacity),
        internal_(internal) {
    segment_header* first = new_segment();
    first->next.store(capacity == unbounded ? nullptr : first, std::memory_order_relaxed);
    write_segment_ = read_segment_ = first;
    producer.at = producer.limit = take_ = slots_of(first);
    producer.left_in_segment = left_to_take_ = segment_slots_;
    set_window(capacity == unbounded ? never : capacity);
  }

  basic_channel(const basic_channel&) = delete;
  basic_channel& operator=(const basic_channel&) = delete;

  /// Destroys the items that were not consumed. No other thread may use the channel any more.
  ~basic_channel() {
    if (layout_.destroy != nullptr) destroy_rest();
    segment_header* segment = read_segment_;
    while (segment != nullptr) {
      segment_header* next = segment->next.load(std::memory_order_relaxed);
      delete_segment(segment);
      segment = next == read_segment_ ? nullptr : next;
    }
    if (segment_header* spare = spare_.load(std::memory_order_relaxed)) delete_segment(spare);
  }

  /// Resets the channel to its initial state, but keeps its memory. Destroys the items that were
  /// not consumed. No other thread may use the channel meanwhile.
  void reset() noexcept {
    destroy_rest();
    if (capacity_ == unbounded) {
      segment_header* following = read_segment_->next.exchange(nullptr, std::memory_order_relaxed);
      while (following != nullptr) {
        segment_header* next = following->next.load(std::memory_order_relaxed);
        delete_segment(following);
        following = next;
      }
      write_segment_ = read_segment_;
    }
    producer.at = producer.limit = take_ = slots_of(read_segment_);
    producer.left_in_segment = left_to_take_ = segment_slots_;
    producer.completed_seen = taken_ = seen_ = 0;
    for (auto* each : {&producer.written, &published_, &completed_, &noted_}) each->store(0, std::memory_order_relaxed);
    room_wanted_.store(never, std::memory_order_relaxed);
    closed_.store(false, std::memory_order_relaxed);
    abandoned_.store(false, std::memory_order_relaxed);
    set_window(capacity_ == unbounded ? never : capacity_);
  }

  // ---- producer ----

  producer_side producer;

  /// Makes the channel mark `number` in `arrivals` each time that items are published, and when the
  /// channel is closed. To be called before the channel is used.
  void lead_to(basic_arrivals<Atomics>& arrivals, std::size_t number) noexcept {
    arrivals_ = &arrivals;
    number_ = number;
  }

  /// Returns the maximum number of items that are written and not completed: the capacity, or less
  /// if a policy says so.
  index window() const noexcept { return producer.window.load(std::memory_order_relaxed); }
  void set_window(index most) noexcept { producer.window.store(most, std::memory_order_relaxed); }

  /// Grants up to `most` consecutive free slots at the cursor. Returns the number of slots; 0 means
  /// that the channel is full.
  std::size_t grant(std::size_t most) {
    const index written = producer.written.load(std::memory_order_relaxed);
    const index window = this->window();
    if (window - (written - producer.completed_seen) < most || written - producer.completed_seen > window) {
      producer.completed_seen = completed_.load(std::memory_order_acquire);  // pairs with the release in complete()
    }
    const index used = written - producer.completed_seen;
    const index room = used >= window ? 0 : window - used;
    if (room == 0) {
      producer.limit = producer.at;
      return 0;
    }
    if (producer.left_in_segment == 0) next_write_segment();
    const std::size_t granted = static_cast<std::size_t>(
        std::min<index>({room, static_cast<index>(most), static_cast<index>(producer.left_in_segment)}));
    producer.limit = producer.at + granted * layout_.size;
    return granted;
  }

  /// Counts the `count` items just constructed from `producer.at` on as written. Requires that this
  /// many slots are granted.
  void commit(std::size_t count = 1) noexcept { producer.commit(layout_.size, count); }

  /// Publishes all written items. Returns whether there were unpublished items.
  bool publish() noexcept {
    const index written = producer.written.load(std::memory_order_relaxed);
    if (written == published_.load(std::memory_order_relaxed)) return false;
    published_.store(written, std::memory_order_release);  // pairs with the acquire in claim()
    mark();
    return true;
  }

  /// Says that no item follows. Publishes the written items.
  void close() noexcept {
    publish();
    closed_.store(true, std::memory_order_release);  // pairs with the acquire in ended()
    mark();
  }

  /// Asks the consumer to notify the producer once `free` slots of the window (or the whole window,
  /// if it is smaller) are empty. After this call the producer must check `room_is_due` again
  /// before it waits.
  void want_room(index free) noexcept {
    const index written = producer.written.load(std::memory_order_relaxed);
    const index keep = window() - std::min(window(), free);
    room_wanted_.store(written - std::min(written, keep), std::memory_order_relaxed);
  }

  /// Same as want_room, but asks for a notification at the next completion.
  void want_completion() noexcept { want_completed(completed_.load(std::memory_order_relaxed) + 1); }

  /// Same as want_room, but asks for a notification when the items below `end` are completed.
  void want_completed(index end) noexcept { room_wanted_.store(end, std::memory_order_relaxed); }

  void want_no_room() noexcept { room_wanted_.store(never, std::memory_order_relaxed); }

  /// Returns whether the consumer will take no more items.
  bool abandoned() const noexcept { return abandoned_.load(std::memory_order_relaxed); }

  // ---- consumer ----

  /// Returns the published items that are contiguous at the read position. The next call returns
  /// the rest. Reads the producer's index again only when all items known from the last read are
  /// used up.
  slots claim() noexcept {
    if (seen_ == taken_) seen_ = std::max(seen_, published_.load(std::memory_order_acquire));
    return claimed();
  }

  /// Same as claim(), but also returns items that are written and not yet published, at the cost of
  /// reading the producer's cache line.
  slots claim_written() noexcept {
    if (seen_ == taken_) seen_ = producer.written.load(std::memory_order_acquire);  // pairs with commit()
    return claimed();
  }

  /// Same as claim_written(), but always reads the producer's index, for consumers that claim items
  /// ahead of those that they complete.
  slots claim_all_written() noexcept {
    seen_ = producer.written.load(std::memory_order_acquire);
    return claimed();
  }

  /// Prefetches the cache line of the next item, which may not have been written yet.
  void prefetch_next() const noexcept { __builtin_prefetch(take_); }

  /// Returns the number of items that the consumer knows to be in the channel.
  std::size_t pending() const noexcept { return static_cast<std::size_t>(seen_ - taken_); }

  /// Counts the first `count` claimed items as completed. They must have been destroyed.
  void complete(std::size_t count) noexcept {
    completed_to(taken_ + count);
    advance(count);
  }

  /// The two halves of complete(), for loops that tell the producer of every item but keep the
  /// position in registers, and for consumers that take items long before they complete them.
  /// completed_to() marks the items below `end` as completed. advance() moves the read position on
  /// by `count`.
  void completed_to(index end) noexcept { completed_.store(end, std::memory_order_release); }  // pairs with grant()
  void advance(std::size_t count) noexcept {
    taken_ += count;
    take_ += count * layout_.size;
    left_to_take_ -= count;
  }
  /// Returns the index that completed_to() stores, for loops that store it themselves.
  typename Atomics::template atomic<index>& completion() noexcept { return completed_; }
  /// Marks the items below `end` as known to the consumer, so that they are no longer news. For
  /// consumers that claim items ahead of those that they complete.
  void note(index end) noexcept { noted_.store(end, std::memory_order_relaxed); }

  /// Returns the index of the next item to take.
  index taken() const noexcept { return taken_; }

  /// Returns whether the producer has closed the channel and all items are consumed.
  bool ended() const noexcept {
    return closed_.load(std::memory_order_acquire) && published_.load(std::memory_order_relaxed) == taken_;
  }

  /// Says that the consumer will take no more items. Items in the channel are destroyed with the
  /// channel. Items that the producer still writes into granted slots are not news to the consumer.
  void abandon() noexcept {
    note(never);
    abandoned_.store(true, std::memory_order_relaxed);
  }

  /// Returns whether the producer has asked for room and the room is available. To avoid missing a
  /// producer that is about to wait, the consumer must execute a full fence between complete() and
  /// this call. The producer must execute one between want_room() and this call.
  bool room_is_due() const noexcept {
    return completed_.load(std::memory_order_relaxed) >= room_wanted_.load(std::memory_order_relaxed);
  }

  /// Returns the producer's last request: the value of `completed` at which it must be notified, or
  /// `never` if there is none.
  index room_wanted() const noexcept { return room_wanted_.load(std::memory_order_relaxed); }

  // ---- any thread: values that may be out of date already ----

  index written() const noexcept { return producer.written.load(std::memory_order_acquire); }
  index completed() const noexcept { return completed_.load(std::memory_order_acquire); }
  /// Returns whether the channel holds an item that the consumer has neither completed nor noted.
  bool has_written() const noexcept {
    return producer.written.load(std::memory_order_relaxed) >
           std::max(completed_.load(std::memory_order_relaxed), noted_.load(std::memory_order_relaxed));
  }
  bool closed() const noexcept { return closed_.load(std::memory_order_acquire); }
  /// Returns whether there is a free slot for an item.
  bool has_room() const noexcept {
    const index completed = completed_.load(std::memory_order_acquire);  // before `written`, which is at least as large
    return producer.written.load(std::memory_order_relaxed) - completed < window();
  }

  std::size_t capacity() const noexcept { return capacity_; }  ///< `unbounded` if there is no limit
  const slot_layout& layout() const noexcept { return layout_; }
  /// Returns whether producer and consumer take turns on one thread and no other thread reads their
  /// progress. Then many items may be counted at once, at the end of a turn.
  bool internal() const noexcept { return internal_; }

 private:
  struct segment_header {
    typename Atomics::template atomic<segment_header*> next{nullptr};
  };

  void mark() noexcept {
    if (arrivals_ != nullptr) arrivals_->mark(number_);
  }

  void destroy_rest() noexcept {
    for (slots rest = claim_written(); rest.count != 0; rest = claim_written()) {
      for (std::size_t i = 0; i != rest.count; ++i) layout_.destroy_item(rest.first + i * layout_.size);
      complete(rest.count);
    }
  }

  std::size_t header_size() const noexcept {
    const std::size_t alignment = std::max(layout_.alignment, cache_line);
    return (sizeof(segment_header) + alignment - 1) / alignment * alignment;
  }
  std::align_val_t segment_alignment() const noexcept {
    return std::align_val_t{std::max(layout_.alignment, cache_line)};
  }
  std::byte* slots_of(segment_header* segment) const noexcept {
    return reinterpret_cast<std::byte*>(segment) + header_size();
  }
  segment_header* new_segment() const {
    void* memory = ::operator new(header_size() + segment_slots_ * layout_.size, segment_alignment());
    return ::new (memory) segment_header;
  }
  void delete_segment(segment_header* segment) const noexcept {
    segment->~segment_header();
    ::operator delete(segment, segment_alignment());
  }

  void next_write_segment() {
    if (capacity_ == unbounded) {
      // The consumer leaves a finished segment in `spare_`. The acquire pairs with its release, so
      // that the writes below come after its reads.
      segment_header* next = spare_.exchange(nullptr, std::memory_order_acquire);
      if (next == nullptr) next = new_segment();
      next->next.store(nullptr, std::memory_order_relaxed);
      // Relaxed: the consumer follows this pointer only after an acquire of an index that is stored
      // later.
      write_segment_->next.store(next, std::memory_order_relaxed);
      write_segment_ = next;
    }
    producer.at = slots_of(write_segment_);
    producer.left_in_segment = segment_slots_;
  }

  slots claimed() noexcept {
    if (seen_ == taken_) return {};
    if (left_to_take_ == 0) {
      segment_header* done = read_segment_;
      read_segment_ = done->next.load(std::memory_order_relaxed);
      if (capacity_ == unbounded) {
        // Release pairs with the acquire in next_write_segment(). The consumer itself has left the
        // segment that is replaced here.
        if (segment_header* older = spare_.exchange(done, std::memory_order_release)) delete_segment(older);
      }
      take_ = slots_of(read_segment_);
      left_to_take_ = segment_slots_;
    }
    return {take_, static_cast<std::size_t>(std::min<index>(seen_ - taken_, left_to_take_))};
  }

  const slot_layout layout_;
  const std::size_t capacity_;
  const std::size_t segment_slots_;
  const bool internal_;
  segment_header* write_segment_;  // used by the producer only

  // The producer writes these once a batch; the consumer reads them. The consumer writes
  // `abandoned_` once.
  alignas(cache_line) typename Atomics::template atomic<index> published_{0};
  typename Atomics::template atomic<index> room_wanted_{never};
  typename Atomics::template atomic<bool> closed_{false};
  typename Atomics::template atomic<bool> abandoned_{false};
  basic_arrivals<Atomics>* arrivals_ = nullptr;  // of the consumer, if it has many channels; else null
  std::size_t number_ = 0;                       // number of this channel in `arrivals_`

  // The consumer writes these. The producer reads `completed_` when it has used up its granted
  // slots.
  alignas(cache_line) typename Atomics::template atomic<index> completed_{0};
  typename Atomics::template atomic<index> noted_{0};
  index taken_ = 0;  // used by the consumer only, like all members below; equals `completed_`
  index seen_ = 0;
  std::byte* take_;
  std::size_t left_to_take_;
  segment_header* read_segment_;

  alignas(cache_line) typename Atomics::template atomic<segment_header*> spare_{nullptr};
};

using channel = basic_channel<native_atomics>;

}  // namespace weir
