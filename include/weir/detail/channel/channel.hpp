// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/arrivals.hpp"
#include "weir/detail/channel/atomics.hpp"
#include "weir/detail/channel/reader.hpp"
#include "weir/detail/channel/writer.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <utility>

namespace weir::detail {

/// Memory layout of the slots of a channel. The channel itself never accesses the items in them.
struct slot_layout {
  std::size_t size;                      ///< distance from one slot to the next in bytes, a multiple of `alignment`
  std::size_t alignment;                 ///< alignment of each slot, a power of two
  void (*destroy)(void* item) noexcept;  ///< destroys an item; null if that needs no code
  std::size_t header = 0;  ///< bytes before the item; if any, the lowest bit of the last 8 marks a slot without item

  bool holds_item(const void* item) const noexcept {
    return header == 0 || (*(static_cast<const std::uint64_t*>(item) - 1) & 1) == 0;
  }
  void destroy_item(void* item) const noexcept {
    if (destroy != nullptr && holds_item(item)) destroy(item);
  }
};

/// A single-producer, single-consumer queue of equal slots: bounded (a ring) or unbounded (a list
/// of segments).
///
/// One implementation serves both: a ring is one segment whose successor is itself. Items lie in
/// the slots by value. The caller constructs and destroys them there: `writer` is the only way into
/// a slot, `reader` the only way out. `ring` in ring.hpp is the typed interface; blocks use writers
/// and readers.
///
/// **Callers.** At any time one thread is the producer and one thread is the consumer. Either role
/// may pass to another thread if the hand-over synchronises (see `basic_readiness`). The producer
/// calls `close`, the consumer calls `abandon`.
///
/// **Invariants**, with 64-bit indices that count items since the beginning and never wrap:
///   completed <= written <= completed + fill limit, and published <= written.
/// Slots in [completed, written) hold items; all other slots are raw memory. `written` counts each
/// item as soon as it lies in its slot, so a consumer can claim the item without further action of
/// the producer. `published` is a hint of the producer, updated once for many items. A consumer
/// that follows `published` shares a cache line with the producer once for a batch, not once for an
/// item. A consumer may empty slots long before it completes them (`told::later`). If it says so,
/// `written <= emptied + waiting_most` holds, too.
///
/// **Memory orders.** A store of `written` or `published` releases the items below it. An acquire
/// of either by the consumer allows it to access them. A store of `completed` releases the emptied
/// slots. An acquire of it by the producer allows the producer to write to them again. `closed` is
/// stored (release) after the last `published`, and loaded (acquire) before it, so a channel that
/// is closed and empty has ended. `next` of a segment is stored before the first item in that
/// segment is counted. `emptied` and `abandoned` order no other data: an emptied slot is used again
/// only when it is completed. (F1 §3.1; the cached indices and the two tails are additions of
/// weir.)
template <class Atomics>
class basic_channel {
 public:
  using index = std::uint64_t;
  static constexpr std::size_t unbounded = 0;
  static constexpr index never = std::numeric_limits<index>::max();

  using writer = detail::basic_writer<Atomics>;
  using reader = detail::basic_reader<Atomics>;
  using write_position = detail::basic_write_position<Atomics>;

  /// @param capacity the maximum number of items in the channel, or `unbounded`
  /// @param segment number of slots in a segment of an unbounded channel
  /// @param internal see `internal`
  /// @param waiting_most see `waiting_most`
  /// @throws std::bad_alloc
  basic_channel(slot_layout layout, std::size_t capacity, std::size_t segment = 256, bool internal = false,
                index waiting_most = never)
      : layout_(layout),
        capacity_(capacity),
        segment_slots_(capacity == unbounded ? segment : capacity),
        internal_(internal),
        waiting_most_(waiting_most) {
    segment_header* first = new_segment();
    first->next.store(capacity == unbounded ? nullptr : first, std::memory_order_relaxed);
    write_segment_ = read_segment_ = first;
    begin_segments();
    set_fill_limit(capacity == unbounded ? never : capacity);
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
    begin_segments();
    write_.completed_seen_ = read_.taken_ = read_.seen_ = 0;
    for (auto* each : {&write_.written_, &published_, &read_.completed_, &read_.noted_, &emptied_}) {
      each->store(0, std::memory_order_relaxed);
    }
    room_wanted_.store(never, std::memory_order_relaxed);
    closed_.store(false, std::memory_order_relaxed);
    abandoned_.store(false, std::memory_order_relaxed);
    set_fill_limit(capacity_ == unbounded ? never : capacity_);
  }

  // ---- producer ----

  /// Begins to write into the granted slots. At any time there is one writer.
  [[gnu::always_inline]] writer write(detail::told how = detail::told::each) noexcept {
    return writer(write_, layout_.size, layout_.header, how);
  }

  /// Returns the address of the item in the next slot, which must be granted, for an item that is
  /// constructed before its writer.
  std::byte* next_item() const noexcept { return write_.item(layout_.header); }

  /// Returns the producer's position, for code that knows the size of a slot and writes by itself.
  write_position& position() noexcept { return write_; }
  const write_position& position() const noexcept { return write_; }

  /// Makes the channel mark `number` in `arrivals` each time that items are published, and when the
  /// channel is closed. To be called before the channel is used.
  void lead_to(basic_arrivals<Atomics>& arrivals, std::size_t number) noexcept {
    arrivals_ = &arrivals;
    number_ = number;
  }

  /// Returns the maximum number of items that are written and not completed: the capacity, or less
  /// if a policy says so.
  index fill_limit() const noexcept { return write_.fill_limit_.load(std::memory_order_relaxed); }
  void set_fill_limit(index most) noexcept { write_.fill_limit_.store(most, std::memory_order_relaxed); }

  /// Grants up to `most` consecutive free slots at the position. Returns the number of slots; 0
  /// means that the channel is full.
  std::size_t grant(std::size_t most) {
    const index written = write_.written_.load(std::memory_order_relaxed);
    const index limit = fill_limit();
    if (limit - (written - write_.completed_seen_) < most || written - write_.completed_seen_ > limit) {
      write_.completed_seen_ = read_.completed_.load(std::memory_order_acquire);  // pairs with the release of a reader
    }
    const index used = written - write_.completed_seen_;
    index room = used >= limit ? 0 : limit - used;
    if (waiting_most_ != never) room = std::min(room, waiting_most_ - std::min(waiting_most_, waiting()));
    if (room == 0) {
      write_.granted_end_ = write_.at_;
      return 0;
    }
    if (write_.left_in_segment_ == 0) next_write_segment();
    const std::size_t granted = static_cast<std::size_t>(
        std::min<index>({room, static_cast<index>(most), static_cast<index>(write_.left_in_segment_)}));
    write_.granted_end_ = write_.at_ + granted * layout_.size;
    return granted;
  }

  /// Publishes all written items. Returns whether there were unpublished items.
  bool publish() noexcept {
    const index written = write_.written_.load(std::memory_order_relaxed);
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

  /// Asks the consumer to notify the producer once there is room for `free` more items within the
  /// fill limit (or the channel is empty, if the limit is smaller). After this call the producer
  /// must check `room_is_due` again before it waits.
  void want_room(index free) noexcept {
    const index written = write_.written_.load(std::memory_order_relaxed);
    const index keep = fill_limit() - std::min(fill_limit(), free);
    room_wanted_.store(written - std::min(written, keep), std::memory_order_relaxed);
  }

  /// Same as want_room, but asks for a notification at the next completion.
  void want_completion() noexcept { want_completed(read_.completed_.load(std::memory_order_relaxed) + 1); }

  /// Same as want_room, but asks for a notification when the items below `end` are completed.
  void want_completed(index end) noexcept { room_wanted_.store(end, std::memory_order_relaxed); }

  void want_no_room() noexcept { room_wanted_.store(never, std::memory_order_relaxed); }

  /// Returns whether the consumer will take no more items.
  bool abandoned() const noexcept { return abandoned_.load(std::memory_order_relaxed); }

  // ---- consumer ----

  /// Begins to read the first `count` claimed items. At any time there is one reader.
  [[gnu::always_inline]] reader read(std::size_t count, detail::told how = detail::told::each) noexcept {
    return reader(*this, count, how);
  }

  /// Claims the published items that are contiguous at the read position, and returns their number.
  /// The next call returns the number of those that are left. Reads the producer's index again only
  /// when all items known from the last read are used up.
  std::size_t claim() noexcept {
    if (read_.seen_ == read_.taken_) {
      read_.seen_ = std::max(read_.seen_, published_.load(std::memory_order_acquire));
    }
    return claimed();
  }

  /// Same as claim(), but also claims items that are written and not yet published, at the cost of
  /// reading the producer's cache line.
  std::size_t claim_written() noexcept {
    if (read_.seen_ == read_.taken_) {
      read_.seen_ = write_.written_.load(std::memory_order_acquire);  // pairs with the release of a writer
    }
    return claimed();
  }

  /// Same as claim_written(), but always reads the producer's index, for consumers that claim items
  /// ahead of those that they complete.
  std::size_t claim_all_written() noexcept {
    read_.seen_ = write_.written_.load(std::memory_order_acquire);
    return claimed();
  }

  /// Prefetches the cache line of the next item, which may not have been written yet.
  void prefetch_next() const noexcept { __builtin_prefetch(read_.at_); }

  /// Returns the number of items that the consumer knows to be in the channel.
  std::size_t pending() const noexcept { return static_cast<std::size_t>(read_.seen_ - read_.taken_); }

  /// Marks the items below `end` as completed, for consumers that take items long before they
  /// complete them (`told::later`).
  void completed_to(index end) noexcept {
    read_.completed_.store(end, std::memory_order_release);  // pairs with grant()
  }
  /// Says that the slots of the items below `end` hold nothing any more, for consumers that
  /// complete the items later, and whose channel limits the items that wait.
  void emptied_to(index end) noexcept { emptied_.store(end, std::memory_order_relaxed); }
  /// Marks the items below `end` as known to the consumer, so that they are no longer news. For
  /// consumers that claim items ahead of those that they complete.
  void note(index end) noexcept { read_.noted_.store(end, std::memory_order_relaxed); }

  /// Returns the index of the next item to take.
  index taken() const noexcept { return read_.taken_; }

  /// Returns whether the producer has closed the channel and all items are consumed.
  bool ended() const noexcept {
    return closed_.load(std::memory_order_acquire) && published_.load(std::memory_order_relaxed) == read_.taken_;
  }

  /// Says that the consumer will take no more items. Items in the channel are destroyed with the
  /// channel. Items that the producer still writes into granted slots are not news to the consumer.
  void abandon() noexcept {
    note(never);
    abandoned_.store(true, std::memory_order_relaxed);
  }

  /// Returns whether the producer has asked for room and the room is available. To avoid missing a
  /// producer that is about to wait, the consumer must execute a full fence between its last
  /// completion, or `emptied_to`, and this call. The producer must execute one between want_room()
  /// and this call.
  bool room_is_due() const noexcept { return is_due(room_wanted_.load(std::memory_order_relaxed)); }
  /// Same as above, for a request that was read before (`room_wanted`).
  bool is_due(index wanted) const noexcept {
    return read_.completed_.load(std::memory_order_relaxed) >= wanted &&
           (waiting_most_ == never || waiting() <= waiting_most_ / 2);
  }

  /// Returns the producer's last request: the value of `completed` at which it must be notified, or
  /// `never` if there is none.
  index room_wanted() const noexcept { return room_wanted_.load(std::memory_order_relaxed); }

  // ---- any thread: values that may be out of date already ----

  index written() const noexcept { return write_.written_.load(std::memory_order_acquire); }
  index completed() const noexcept { return read_.completed_.load(std::memory_order_acquire); }
  /// Returns whether the channel holds an item that the consumer has neither completed nor noted.
  bool has_written() const noexcept {
    return write_.written_.load(std::memory_order_relaxed) >
           std::max(read_.completed_.load(std::memory_order_relaxed), read_.noted_.load(std::memory_order_relaxed));
  }
  bool closed() const noexcept { return closed_.load(std::memory_order_acquire); }
  /// Returns whether there is a free slot for an item.
  bool has_room() const noexcept {
    const index completed =
        read_.completed_.load(std::memory_order_acquire);  // before `written`, which is at least as large
    return write_.written_.load(std::memory_order_relaxed) - completed < fill_limit() &&
           (waiting_most_ == never || waiting() < waiting_most_);
  }

  std::size_t capacity() const noexcept { return capacity_; }  ///< `unbounded` if there is no limit
  /// Maximum number of items whose slots the consumer has not emptied; `never` if there is no such
  /// limit, and the consumer need not call `emptied_to`.
  index waiting_most() const noexcept { return waiting_most_; }
  const slot_layout& layout() const noexcept { return layout_; }
  /// Returns whether producer and consumer take turns on one thread and no other thread reads their
  /// progress. Then many items may be counted at once, at the end of a turn.
  bool internal() const noexcept { return internal_; }

 private:
  friend reader;

  struct segment_header {
    typename Atomics::template atomic<segment_header*> next{nullptr};
  };

  void mark() noexcept {
    if (arrivals_ != nullptr) arrivals_->mark(number_);
  }

  // Both sides begin at the first slot of the one segment.
  void begin_segments() noexcept {
    write_.at_ = write_.granted_end_ = read_.at_ = slots_of(read_segment_);
    write_.left_in_segment_ = read_.left_in_segment_ = segment_slots_;
  }

  void destroy_rest() noexcept {
    for (std::size_t rest = claim_written(); rest != 0; rest = claim_written()) {
      for (reader items = read(rest, detail::told::together); items.more(); items.done()) {
        layout_.destroy_item(items.item());
      }
    }
  }

  // Number of items whose slots were not emptied. Other threads than producer and consumer may read
  // an old `written` and a new `emptied`.
  index waiting() const noexcept {
    const index written = write_.written_.load(std::memory_order_relaxed);
    return written - std::min(written, emptied_.load(std::memory_order_relaxed));
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
    write_.at_ = slots_of(write_segment_);
    write_.left_in_segment_ = segment_slots_;
  }

  std::size_t claimed() noexcept {
    if (read_.seen_ == read_.taken_) return 0;
    if (read_.left_in_segment_ == 0) {
      segment_header* done = read_segment_;
      read_segment_ = done->next.load(std::memory_order_relaxed);
      if (capacity_ == unbounded) {
        // Release pairs with the acquire in next_write_segment(). The consumer itself has left the
        // segment that is replaced here.
        if (segment_header* older = spare_.exchange(done, std::memory_order_release)) delete_segment(older);
      }
      read_.at_ = slots_of(read_segment_);
      read_.left_in_segment_ = segment_slots_;
    }
    return static_cast<std::size_t>(std::min<index>(read_.seen_ - read_.taken_, read_.left_in_segment_));
  }

  const slot_layout layout_;
  const std::size_t capacity_;
  const std::size_t segment_slots_;
  const bool internal_;
  segment_header* write_segment_;  // used by the producer only

  write_position write_;

  // The producer writes these once a batch; the consumer reads them. The consumer writes
  // `abandoned_` once.
  alignas(cache_line) typename Atomics::template atomic<index> published_{0};
  typename Atomics::template atomic<index> room_wanted_{never};
  typename Atomics::template atomic<bool> closed_{false};
  typename Atomics::template atomic<bool> abandoned_{false};
  basic_arrivals<Atomics>* arrivals_ = nullptr;  // of the consumer, if it has many channels; else null
  std::size_t number_ = 0;                       // number of this channel in `arrivals_`
  const index waiting_most_;

  // The consumer writes these. The producer reads the number of completed items when it has used up
  // its granted slots.
  alignas(cache_line) detail::basic_read_position<Atomics> read_;
  segment_header* read_segment_;  // used by the consumer only
  typename Atomics::template atomic<index> emptied_{0};

  alignas(cache_line) typename Atomics::template atomic<segment_header*> spare_{nullptr};
};

using channel = basic_channel<native_atomics>;

}  // namespace weir::detail
