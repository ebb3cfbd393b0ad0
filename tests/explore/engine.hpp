// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cells.hpp"
#include "fiber.hpp"
#include "model.hpp"
#include "schedule.hpp"
#include "search.hpp"
#include "site.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <source_location>
#include <string>
#include <vector>

namespace explore {

/// Runs one execution after another of one scenario. Holds its threads as fibers, its memory, and
/// the next operation of each thread.
///
/// A thread calls the engine for each operation. `point` announces the operation, lets the search
/// choose the thread that goes next, and returns when this thread is chosen; then the operation
/// takes effect, at once and whole. So the announced operation of every thread is known at every
/// choice.
class engine {
 public:
  engine(const options& within, const scenario_body& body, const mutation* weakened, std::vector<access_site>* sites);
  ~engine();

  /// Returns the engine whose execution calls; aborts if there is none.
  static engine& current();

  result explore();

  // ---- calls of the instrumented types, from within an execution ----

  using place = std::source_location;

  unsigned create(word initial, const place& where);
  void destroy(unsigned location, const place& where);
  word load(unsigned location, std::memory_order order, const place& where);
  void store(unsigned location, word value, std::memory_order order, const place& where);
  /// Stores `compute(old, operand)`. @return the old value
  word update(unsigned location, word (*compute)(word old, word operand), word operand, std::memory_order order,
              const place& where);
  bool compare(unsigned location, word& expected, word desired, std::memory_order success, std::memory_order failure,
               bool weak, const place& where);
  void fence(std::memory_order order, const place& where);
  void fence_light(const place& where);
  void fence_heavy(const place& where);
  bool has_fence_heavy() const noexcept { return within_.has_fence_heavy; }
  bool keep(const char* name, const place& where);

  /// A token: `unpark` leaves it, `park` waits for it and takes it.
  struct token {
    bool there = false;
    unsigned number = 0;
    view carried;
  };
  void park(token& from, const place& where);
  void unpark(token& to, const place& where);

  /// A mutex is a token that is there while nobody is inside.
  void lock(token& free, const place& where);
  void unlock(token& free, const place& where);

  /// A futex. `futex_wait` compares the word with `expected` and falls asleep, both at once, or
  /// returns; it may read a stale value, or return without a reason, as far as stale reads are
  /// allowed. A wake-up that comes later reaches the sleeper. No waiter that comes after a wake-up
  /// misses what the waker saw.
  void futex_wait(unsigned location, word expected, const place& where);
  /// Which sleepers are woken is the explorer's choice.
  void futex_wake(unsigned location, std::size_t most, const place& where);

  /// A number of the calling thread.
  unsigned this_thread() const noexcept { return running_; }

  void use_cell(const void* object, cell_use how, int value, const place& where);

  void await_begin();
  bool await_end(bool satisfied, const place& where);
  void yield(const place& where);

  /// Records that a block of the arena is freed.
  void freed(const void* block, std::size_t size);

  /// Ends the execution as failed.
  [[noreturn]] void fail(std::string why, const place& where);

 private:
  struct operation {
    op_kind kind = op_kind::start;
    bool writes = false;
    bool total = false;            // takes part in the total order of seq_cst operations
    const void* object = nullptr;  // a token, or else `location`
    unsigned location = max_locations;
    place where;
  };
  struct seen {
    unsigned location;
    stamp at;
  };
  struct thread_state {
    operation next;
    bool ended = false;
    bool starting = false;    // chosen to run up to its first operation, without a choice in between
    bool asleep = false;      // its next operation commutes with all operations since it was preempted
    bool awaiting = false;    // inside an await's predicate
    bool sleeping = false;    // on the futex at the location of its next operation
    bool read_stale = false;  // since its last yield
    std::uint32_t own_writes = 0;
    std::uint32_t others_writes_seen = 0;
    std::vector<seen> watched;  // the locations that the predicate of its await has read
  };
  enum class ending : std::uint8_t { finished, failed, redundant };

  static void fiber_body(void* self, unsigned index);
  bool guarded(const std::function<void()>& body);
  void run_main();
  void run_thread(unsigned index);
  void run_once();
  void record_trace();

  void point(const operation& op);
  unsigned next_thread();
  bool enabled(unsigned thread) const;
  static bool commute(const operation& a, const operation& b) noexcept;
  void wake(const operation& done);
  [[noreturn]] void end(ending how);
  [[noreturn]] void fail_here(const char* why);
  std::string describe_blocked() const;

  void touch(unsigned location, const place& where);
  void watch(unsigned location, stamp at);
  void take(token& from, op_kind kind, const place& where);
  void leave(token& to, op_kind kind, const place& where);
  void wrote(unsigned location);

  std::memory_order effective(op_kind kind, std::memory_order order, access_site::part what, const place& where);
  bool dropped(op_kind kind, access_site::part what, const char* name, const place& where);
  void collect(const access_site& site);

  void trace(const char* format, ...) __attribute__((format(printf, 2, 3)));
  void trace_access(const char* what, unsigned location, stamp at, std::memory_order order, const place& where);

  const options within_;
  const scenario_body& body_;
  const mutation* weakened_;
  std::vector<access_site>* sites_;
  engine* outer_;

  search search_;
  fibers fibers_;
  memory memory_;
  cell_table cells_;

  // One execution:
  std::array<thread_state, max_threads> threads_;
  execution* scenario_ = nullptr;
  unsigned count_ = 1;  // threads, the main one included
  unsigned running_ = 0;
  unsigned steps_ = 0;
  unsigned tokens_ = 0;
  std::uint32_t writes_ = 0;
  ending ending_ = ending::finished;
  std::string why_;
  bool tracing_ = false;
  std::string trace_;
};

}  // namespace explore
