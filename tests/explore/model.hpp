// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

namespace explore {

inline constexpr unsigned max_threads = 8;     ///< the main thread of a scenario is number 0
inline constexpr unsigned max_locations = 64;  ///< atomic objects in one execution

using word = std::uint64_t;  ///< the value of any atomic object
using stamp = std::int16_t;  ///< a position in a modification order, or a thread's clock

constexpr bool acquires(std::memory_order order) noexcept {
  return order == std::memory_order_acquire || order == std::memory_order_consume ||
         order == std::memory_order_acq_rel || order == std::memory_order_seq_cst;
}
constexpr bool releases(std::memory_order order) noexcept {
  return order == std::memory_order_release || order == std::memory_order_acq_rel || order == std::memory_order_seq_cst;
}

/// The messages that a thread must not miss, and the events that happened before it.
struct view {
  std::array<stamp, max_locations> at{};   ///< the oldest message of each location that may still be read
  std::array<stamp, max_threads> clock{};  ///< per thread: its latest event that happened before
};

/// The last accesses to a non-atomic object (or to an atomic object as a whole), for race
/// detection.
struct access_record {
  std::uint8_t writer = 0;
  stamp write_clock = 0;
  std::array<stamp, max_threads> read_clock{};
};

/// The memory of one execution: C++20 release, acquire, relaxed and seq_cst accesses and fences, as
/// an operational model.
///
/// Each location keeps its whole modification order; a store appends to it. A message carries the
/// view that an acquire of it obtains. A load may read any message that the thread's view does not
/// exclude: which one is the explorer's choice. Read-modify-writes read the last message and pass
/// its view on (release sequences).
///
/// seq_cst accesses: the order of execution is the total order S. A seq_cst load misses no message
/// of its location that an earlier seq_cst operation wrote or read, and none that an earlier
/// seq_cst fence had in view. Full fences have in view all that earlier full fences had, and what
/// earlier seq_cst accesses wrote or read. None of this makes anything *happen before*: only
/// acquire and release do, so it hides no data race.
///
/// Asymmetric fences follow P1202: a light fence and a heavy one are ordered as two full fences
/// are, two light ones are not. With `heavy_reaches_all`, a heavy fence works as the system call
/// does: every other thread executes a full fence at that very point, wherever it stands.
///
/// Not modelled: load buffering (a load that reads a store which is executed later), stores that
/// enter the modification order before its end, mixed-size accesses. `consume` is acquire.
class memory {
 public:
  bool heavy_reaches_all = false;

  void reset() noexcept;

  /// `fork`: a thread begins, and everything that its parent has done happens before it. `join`: a
  /// thread ends, and everything that it has done happens before the parent goes on.
  void fork(unsigned parent, unsigned child) noexcept;
  void join(unsigned parent, unsigned child) noexcept;

  // ---- locations ----

  /// @return the location, or max_locations if there are too many
  unsigned create(unsigned thread, word initial);
  /// @return false if the destruction races with an access
  bool destroy(unsigned thread, unsigned location) noexcept;
  /// @return null, or the reason why `thread` may not access this location at all
  const char* touch(unsigned thread, unsigned location) noexcept;

  stamp latest(unsigned location) const noexcept { return static_cast<stamp>(locations_[location].history.size() - 1); }
  stamp oldest(unsigned thread, unsigned location, std::memory_order order) const noexcept;
  word value(unsigned location, stamp at) const noexcept {
    return locations_[location].history[static_cast<std::size_t>(at)].value;
  }

  // ---- operations ----

  word read(unsigned thread, unsigned location, stamp at, std::memory_order order) noexcept;
  void write(unsigned thread, unsigned location, word value, std::memory_order order);
  /// Reads the last message and appends one.
  void update(unsigned thread, unsigned location, word value, std::memory_order order);

  void fence(unsigned thread, std::memory_order order) noexcept;
  void fence_light(unsigned thread) noexcept;
  void fence_heavy(unsigned thread) noexcept;

  /// For a futex: who enters misses no message that one who has left before had in view. Nothing
  /// happens before anything by that.
  void enter_futex(unsigned thread, unsigned location) noexcept;
  void leave_futex(unsigned thread, unsigned location) noexcept;

  /// For a view that is handed over by other means (a parker's token): releases into the view, and
  /// acquires from it.
  void release_into(unsigned thread, view& target) noexcept;
  void acquire_from(unsigned thread, const view& source) noexcept;

  // ---- races ----

  bool may_read(unsigned thread, access_record& record) noexcept;
  bool may_write(unsigned thread, access_record& record) noexcept;
  /// The same as `may_write`, but leaves no record.
  bool ordered_after_all(unsigned thread, const access_record& record) const noexcept;

 private:
  struct message {
    word value;
    view carried;
  };
  struct object {
    std::vector<message> history;
    access_record uses;  // "written" when created, "read" by each atomic access
    view futex;          // what those had in view who have woken others here
    bool alive;
  };
  struct thread_view {
    view now;       // the oldest messages that the thread may still read
    view acquired;  // the views of all messages it has read, which an acquire fence adds
    view released;  // its view at the last release fence, which a relaxed store carries
    view light;     // its view at the last light fence
  };

  void join_all(view& into, const view& from) const noexcept;
  void join_stamps(view& into, const view& from) const noexcept;
  void tick(unsigned thread) noexcept { ++threads_[thread].now.clock[thread]; }
  void append(unsigned thread, unsigned where, word value, std::memory_order order, const view* continued);

  unsigned used_ = 0;
  std::array<object, max_locations> locations_;
  std::array<thread_view, max_threads> threads_;
  view total_;  // the union of the views at full fences, and the messages that seq_cst accesses wrote or read
  view heavy_;  // the union of the views at heavy fences
};

}  // namespace explore
