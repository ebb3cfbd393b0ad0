// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine.hpp"
#include "tracked.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <type_traits>

namespace explore {

/// The explored counterpart of std::atomic. Created and used only within an execution.
template <class T>
class atomic {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(word));
  using place = std::source_location;

 public:
  using value_type = T;
  static constexpr bool is_always_lock_free = true;

  atomic(const place& where = place::current()) : atomic(T{}, where) {}
  atomic(T initial, const place& where = place::current()) : id_(engine::current().create(encode(initial), where)) {}
  ~atomic() { engine::current().destroy(id_, place::current()); }
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  T load(std::memory_order order = std::memory_order_seq_cst, const place& where = place::current()) const noexcept {
    return decode(engine::current().load(id_, order, where));
  }

  void store(T value, std::memory_order order = std::memory_order_seq_cst,
             const place& where = place::current()) noexcept {
    engine::current().store(id_, encode(value), order, where);
  }

  T exchange(T value, std::memory_order order = std::memory_order_seq_cst,
             const place& where = place::current()) noexcept {
    return update<[](word, word operand) { return operand; }>(encode(value), order, where);
  }

  bool compare_exchange_strong(T& expected, T desired, std::memory_order success, std::memory_order failure,
                               const place& where = place::current()) noexcept {
    return compare(expected, desired, success, failure, false, where);
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order order = std::memory_order_seq_cst,
                               const place& where = place::current()) noexcept {
    return compare(expected, desired, order, failing(order), false, where);
  }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order success, std::memory_order failure,
                             const place& where = place::current()) noexcept {
    return compare(expected, desired, success, failure, true, where);
  }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order order = std::memory_order_seq_cst,
                             const place& where = place::current()) noexcept {
    return compare(expected, desired, order, failing(order), true, where);
  }

  T fetch_add(T operand, std::memory_order order = std::memory_order_seq_cst,
              const place& where = place::current()) noexcept
    requires std::is_integral_v<T>
  {
    return update<[](word a, word b) { return encode(static_cast<T>(a + b)); }>(encode(operand), order, where);
  }
  T fetch_sub(T operand, std::memory_order order = std::memory_order_seq_cst,
              const place& where = place::current()) noexcept
    requires std::is_integral_v<T>
  {
    return update<[](word a, word b) { return encode(static_cast<T>(a - b)); }>(encode(operand), order, where);
  }
  T fetch_or(T operand, std::memory_order order = std::memory_order_seq_cst,
             const place& where = place::current()) noexcept
    requires std::is_integral_v<T>
  {
    return update<[](word a, word b) { return a | b; }>(encode(operand), order, where);
  }
  T fetch_and(T operand, std::memory_order order = std::memory_order_seq_cst,
              const place& where = place::current()) noexcept
    requires std::is_integral_v<T>
  {
    return update<[](word a, word b) { return a & b; }>(encode(operand), order, where);
  }

  void futex_wait(T expected, const place& where) const noexcept {
    engine::current().futex_wait(id_, encode(expected), where);
  }
  void futex_wake(std::size_t most, const place& where) const noexcept {
    engine::current().futex_wake(id_, most, where);
  }

 private:
  static word encode(T value) noexcept {
    word bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    return bits;
  }
  static T decode(word bits) noexcept {
    T value;
    std::memcpy(&value, &bits, sizeof(T));
    return value;
  }
  static constexpr std::memory_order failing(std::memory_order order) noexcept {
    if (order == std::memory_order_acq_rel) return std::memory_order_acquire;
    if (order == std::memory_order_release) return std::memory_order_relaxed;
    return order;
  }
  template <auto compute>
  T update(word operand, std::memory_order order, const place& where) noexcept {
    return decode(engine::current().update(id_, compute, operand, order, where));
  }
  bool compare(T& expected, T desired, std::memory_order success, std::memory_order failure, bool weak,
               const place& where) noexcept {
    word found = encode(expected);
    const bool done = engine::current().compare(id_, found, encode(desired), success, failure, weak, where);
    if (!done) expected = decode(found);
    return done;
  }

  unsigned id_;
};

/// The explored counterpart of std::atomic_thread_fence.
inline void thread_fence(std::memory_order order, const std::source_location& where = std::source_location::current()) {
  engine::current().fence(order, where);
}

/// A parker for one thread: `unpark` leaves a token (at most one), `park` waits for the token and
/// takes it. Everything before `unpark` happens before the return of the `park` that took its
/// token. Nothing wakes a thread without a token, so a lost wake-up ends as a deadlock; that is why
/// no time passes in `park_for`.
class parker {
 public:
  using place = std::source_location;
  void park(const place& where = place::current()) { engine::current().park(token_, where); }
  bool park_for(std::chrono::nanoseconds /*longest*/, const place& where = place::current()) {
    engine::current().park(token_, where);
    return true;
  }
  void unpark(const place& where = place::current()) { engine::current().unpark(token_, where); }

 private:
  engine::token token_;
};

class mutex {
 public:
  using place = std::source_location;
  void lock(const place& where = place::current()) { engine::current().lock(free_, where); }
  void unlock(const place& where = place::current()) { engine::current().unlock(free_, where); }

 private:
  engine::token free_{true, 0, {}};
};

/// Holds a mutex while it lives.
class lock {
 public:
  using place = std::source_location;
  explicit lock(mutex& what, const place& where = place::current()) : what_(what), where_(where) { what_.lock(where); }
  lock(const lock&) = delete;
  lock& operator=(const lock&) = delete;
  ~lock() { what_.unlock(where_); }

 private:
  mutex& what_;
  const place where_;
};

/// The policy that makes weir's lock-free templates explorable; see `weir::detail::native_atomics`.
struct model_atomics {
  template <class T>
  using atomic = explore::atomic<T>;
  template <class T>
  using plain = cell<T>;
  using mutex = explore::mutex;
  using lock = explore::lock;
  using parker = explore::parker;
  using place = std::source_location;

  static void fence_full(const place& where = place::current()) noexcept {
    engine::current().fence(std::memory_order_seq_cst, where);
  }
  static void fence_light(const place& where = place::current()) noexcept { engine::current().fence_light(where); }
  static void fence_heavy(const place& where = place::current()) noexcept { engine::current().fence_heavy(where); }
  static bool has_fence_heavy() noexcept { return engine::current().has_fence_heavy(); }
  static bool keep(const char* site, const place& where = place::current()) noexcept {
    return engine::current().keep(site, where);
  }
  static const void* this_thread() noexcept {
    static constexpr std::array<char, max_threads> names{};
    return &names[engine::current().this_thread()];
  }
  static void pause(const place& where = place::current()) noexcept { engine::current().yield(where); }
  static void yield(const place& where = place::current()) noexcept { engine::current().yield(where); }
  static void wait(const atomic<std::uint32_t>& word, std::uint32_t expected,
                   const place& where = place::current()) noexcept {
    word.futex_wait(expected, where);
  }
  static void wake(const atomic<std::uint32_t>& word, std::size_t most,
                   const place& where = place::current()) noexcept {
    word.futex_wake(most, where);
  }
};

}  // namespace explore
