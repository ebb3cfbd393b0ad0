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

/// How the slots of a channel look; the channel itself never touches what lies in them.
struct slot_layout {
  std::size_t size;                      ///< bytes from one slot to the next, a multiple of `alignment`
  std::size_t alignment;                 ///< of each slot, a power of two
  void (*destroy)(void* item) noexcept;  ///< ends an item's life; null where that does nothing
  std::size_t header = 0;  ///< bytes in front of the item; if any, the lowest bit of the last 8 means: no item here

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
/// One implementation serves both: a ring is one segment that follows itself. Items lie in the
/// slots by value; the caller constructs and destroys them there (`ring` in ring.hpp is the typed
/// face; blocks use the slots directly).
///
/// **Who may call what.** At any time one thread is the producer and one the consumer; which ones
/// may change when the change itself synchronizes (see `basic_readiness`). `close` belongs to the
/// producer, `abandon` to the consumer.
///
/// **Invariants**, with 64-bit indices that count items since the beginning and never wrap:
///   completed <= published <= written <= completed + window.
/// Slots in [completed, written) hold items, all others are raw. `written` counts each item as soon
/// as it lies in its slot, so a consumer can claim it without the producer's further help;
/// `published` is the producer's advice, renewed once for many items. A consumer that follows
/// `published` shares a line with the producer once for a batch, not once for an item.
///
/// **Memory orders.** Storing `written` or `published` releases the items below it; the consumer's
/// acquire of either lets it touch them. Storing `completed` releases the emptied slots; the
/// producer's acquire of it lets it write there again. `closed` is stored (release) after the last
/// `published`, and loaded (acquire) before it, so closed and empty means ended. `next` of a
/// segment is stored before the first item in it is counted. `abandoned` carries nothing with it.
/// (F1 §3.1; the cached indices and the two tails are ours.)
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

  /// @param capacity the most items in the channel, or `unbounded`
  /// @param segment slots a segment of an unbounded channel
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

  /// Destroys what was never consumed. Nobody may use the channel any more.
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

  /// As if it were new, but for the memory it holds: destroys what was never consumed. Nobody else
  /// may use the channel.
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

  /// Before it is used: marks `number` there each time that something is published, and when it is
  /// closed.
  void lead_to(basic_arrivals<Atomics>& arrivals, std::size_t number) noexcept {
    arrivals_ = &arrivals;
    number_ = number;
  }

  /// The most items written and not completed: the capacity, or less where a policy says so.
  index window() const noexcept { return producer.window.load(std::memory_order_relaxed); }
  void set_window(index most) noexcept { producer.window.store(most, std::memory_order_relaxed); }

  /// Grants up to `most` consecutive free slots at the cursor and returns how many; 0 means full.
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

  /// Counts the `count` items just constructed from `producer.at` on as written. Needs as many
  /// granted slots.
  void commit(std::size_t count = 1) noexcept { producer.commit(layout_.size, count); }

  /// Advises the consumer of all that is written. Returns whether that is news.
  bool publish() noexcept {
    const index written = producer.written.load(std::memory_order_relaxed);
    if (written == published_.load(std::memory_order_relaxed)) return false;
    published_.store(written, std::memory_order_release);  // pairs with the acquire in claim()
    mark();
    return true;
  }

  /// No item follows. Publishes what is written.
  void close() noexcept {
    publish();
    closed_.store(true, std::memory_order_release);  // pairs with the acquire in ended()
    mark();
  }

  /// Asks the consumer to notify the producer once `free` slots of the window (or all, if it is
  /// smaller) are empty. After this the producer must look at `room_is_due` again before it waits.
  void want_room(index free) noexcept {
    const index written = producer.written.load(std::memory_order_relaxed);
    const index keep = window() - std::min(window(), free);
    room_wanted_.store(written - std::min(written, keep), std::memory_order_relaxed);
  }

  /// As want_room, but to be told of the very next completion.
  void want_completion() noexcept { want_completed(completed_.load(std::memory_order_relaxed) + 1); }

  /// As want_room, but to be told when the items below `end` are completed.
  void want_completed(index end) noexcept { room_wanted_.store(end, std::memory_order_relaxed); }

  void want_no_room() noexcept { room_wanted_.store(never, std::memory_order_relaxed); }

  /// Whether the consumer will take no more.
  bool abandoned() const noexcept { return abandoned_.load(std::memory_order_relaxed); }

  // ---- consumer ----

  /// The published items that lie together at the read position (the rest comes with the next
  /// call). Renews its view of the producer only when the last view is used up.
  slots claim() noexcept {
    if (seen_ == taken_) seen_ = std::max(seen_, published_.load(std::memory_order_acquire));
    return claimed();
  }

  /// As claim(), and also finds what is written but not yet published, at the price of the
  /// producer's line.
  slots claim_written() noexcept {
    if (seen_ == taken_) seen_ = producer.written.load(std::memory_order_acquire);  // pairs with commit()
    return claimed();
  }

  /// As claim_written(), but renews the view of the producer always: for consumers that claim ahead
  /// of what they complete.
  slots claim_all_written() noexcept {
    seen_ = producer.written.load(std::memory_order_acquire);
    return claimed();
  }

  /// Brings the next item's line near. It may not be written yet.
  void prefetch_next() const noexcept { __builtin_prefetch(take_); }

  /// How many items the consumer knows to lie there.
  std::size_t pending() const noexcept { return static_cast<std::size_t>(seen_ - taken_); }

  /// Counts the first `count` claimed items as completed. They must have been destroyed.
  void complete(std::size_t count) noexcept {
    completed_to(taken_ + count);
    advance(count);
  }

  /// The two halves of complete(), for loops that tell the producer of every item but keep the
  /// position in registers, and for consumers that take items long before they complete them: the
  /// items below `end` are completed; the read position moves on by `count`.
  void completed_to(index end) noexcept { completed_.store(end, std::memory_order_release); }  // pairs with grant()
  void advance(std::size_t count) noexcept {
    taken_ += count;
    take_ += count * layout_.size;
    left_to_take_ -= count;
  }
  /// The index that completed_to() stores, for loops that store it themselves.
  typename Atomics::template atomic<index>& completion() noexcept { return completed_; }
  /// For consumers that claim ahead of what they complete: the items below `end` are no news to
  /// them any more.
  void note(index end) noexcept { noted_.store(end, std::memory_order_relaxed); }

  /// The index of the next item to take.
  index taken() const noexcept { return taken_; }

  /// Whether the producer closed the channel and everything is consumed.
  bool ended() const noexcept {
    return closed_.load(std::memory_order_acquire) && published_.load(std::memory_order_relaxed) == taken_;
  }

  /// The consumer will take no more; what is in the channel is destroyed with it. Items that the
  /// producer still writes into granted slots are no news to it.
  void abandon() noexcept {
    note(never);
    abandoned_.store(true, std::memory_order_relaxed);
  }

  /// Whether the producer asked for room and it is there. Consumer: to be sure not to miss a
  /// producer that is about to wait, execute a full fence between complete() and this. Producer:
  /// between want_room() and this.
  bool room_is_due() const noexcept {
    return completed_.load(std::memory_order_relaxed) >= room_wanted_.load(std::memory_order_relaxed);
  }

  /// What the producer asked for last: the value of `completed` to be told of, `never` if none.
  index room_wanted() const noexcept { return room_wanted_.load(std::memory_order_relaxed); }

  // ---- anybody: values that were true a moment ago ----

  index written() const noexcept { return producer.written.load(std::memory_order_acquire); }
  index completed() const noexcept { return completed_.load(std::memory_order_acquire); }
  /// Whether an item lies there that the consumer has neither completed nor noted.
  bool has_written() const noexcept {
    return producer.written.load(std::memory_order_relaxed) >
           std::max(completed_.load(std::memory_order_relaxed), noted_.load(std::memory_order_relaxed));
  }
  bool closed() const noexcept { return closed_.load(std::memory_order_acquire); }
  /// Whether an item would find a slot.
  bool has_room() const noexcept {
    const index completed = completed_.load(std::memory_order_acquire);  // before `written`, which is at least as large
    return producer.written.load(std::memory_order_relaxed) - completed < window();
  }

  std::size_t capacity() const noexcept { return capacity_; }  ///< `unbounded` where there is no limit
  const slot_layout& layout() const noexcept { return layout_; }
  /// Whether producer and consumer take turns on one thread, and nobody else looks at how far they
  /// are: then many items may be counted at once, when a turn ends.
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
      // The consumer leaves a segment it is done with in spare_; acquire pairs with its release, so
      // that the writes below come after its reads.
      segment_header* next = spare_.exchange(nullptr, std::memory_order_acquire);
      if (next == nullptr) next = new_segment();
      next->next.store(nullptr, std::memory_order_relaxed);
      // Relaxed: the consumer follows it only after an acquire of an index stored later.
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
        // Release pairs with the acquire in next_write_segment(). A segment that it replaces was
        // left here by this side.
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
  segment_header* write_segment_;  // producer only

  // Written by the producer once a batch, read by the consumer; `abandoned_` once, the other way.
  alignas(cache_line) typename Atomics::template atomic<index> published_{0};
  typename Atomics::template atomic<index> room_wanted_{never};
  typename Atomics::template atomic<bool> closed_{false};
  typename Atomics::template atomic<bool> abandoned_{false};
  basic_arrivals<Atomics>* arrivals_ = nullptr;  // of its consumer, where that has many channels
  std::size_t number_ = 0;                       // in them

  // Written by the consumer; the producer reads `completed_` when it is out of granted room.
  alignas(cache_line) typename Atomics::template atomic<index> completed_{0};
  typename Atomics::template atomic<index> noted_{0};
  index taken_ = 0;  // consumer only, like all below: equals completed_
  index seen_ = 0;
  std::byte* take_;
  std::size_t left_to_take_;
  segment_header* read_segment_;

  alignas(cache_line) typename Atomics::template atomic<segment_header*> spare_{nullptr};
};

using channel = basic_channel<native_atomics>;

}  // namespace weir
