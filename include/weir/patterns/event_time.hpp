// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <type_traits>

namespace weir {

/// Counts items; copies are one counter. Any thread may read and count.
class item_counter {
 public:
  item_counter() : count_(std::make_shared<std::atomic<std::uint64_t>>(0)) {}

  /// So many until now, in all runs of all nodes that have a copy.
  std::uint64_t count() const noexcept { return count_->load(std::memory_order_relaxed); }
  /// One more.
  void add() const noexcept { count_->fetch_add(1, std::memory_order_relaxed); }

 private:
  std::shared_ptr<std::atomic<std::uint64_t>> count_;
};

/// Of windows over items of type `T`, with times that are `Span` apart.
template <class T, class Span>
struct time_window_options {
  /// How far an item may lie behind the latest one that came before it; what comes later than that
  /// may find its windows closed.
  Span lateness{};
  /// Whether `finish` sends the windows that are still open. Their bounds are what they would have
  /// been.
  bool partial = true;
  /// Gets the items for which no window is open any more; without it they are dropped. Each node
  /// has a copy.
  std::function<void(T)> on_late{};
  /// Counts them, in either case.
  item_counter late_items{};
  /// When no item has come for so long, the windows that are open are sent as if their ends had
  /// passed: a source that has gone quiet does not hold them back. What comes later for them is
  /// late. 0: they wait for later items, or for the end of the stream.
  std::chrono::nanoseconds idle{0};
};

namespace detail {

// A time as a number of ticks, and the type of the distance of two.
template <class Time>
struct event_clock;  // undefined: not a time that windows can have

template <std::integral Time>
  requires(!std::same_as<Time, bool>)
struct event_clock<Time> {
  using bound = std::int64_t;
  using span = std::int64_t;
  static std::int64_t ticks(Time time) noexcept { return static_cast<std::int64_t>(time); }
  static std::int64_t length(span of) noexcept { return of; }
  static bound at(std::int64_t ticks) noexcept { return ticks; }
};

template <std::integral Rep, class Period>
struct event_clock<std::chrono::duration<Rep, Period>> {
  using bound = std::chrono::duration<std::int64_t, Period>;
  using span = std::chrono::duration<std::int64_t, Period>;
  static std::int64_t ticks(span time) noexcept { return time.count(); }
  static std::int64_t length(span of) noexcept { return of.count(); }
  static bound at(std::int64_t ticks) noexcept { return bound(ticks); }
};

template <class Clock, std::integral Rep, class Period>
struct event_clock<std::chrono::time_point<Clock, std::chrono::duration<Rep, Period>>> {
  using span = std::chrono::duration<std::int64_t, Period>;
  using bound = std::chrono::time_point<Clock, span>;
  static std::int64_t ticks(bound time) noexcept { return time.time_since_epoch().count(); }
  static std::int64_t length(span of) noexcept { return of.count(); }
  static bound at(std::int64_t ticks) noexcept { return bound(span(ticks)); }
};

template <class Time>
concept event_time = requires { typename event_clock<Time>::bound; };

// Those of what a function of items returns; integers where that is not a time, so that the error
// is one of words.
template <class TimeOf, class Item>
struct clock_for {
  using type = event_clock<std::int64_t>;
  static constexpr bool valid = false;
};
template <class TimeOf, class Item>
  requires event_time<std::remove_cvref_t<std::invoke_result_t<const TimeOf&, const Item&>>>
struct clock_for<TimeOf, Item> {
  using type = event_clock<std::remove_cvref_t<std::invoke_result_t<const TimeOf&, const Item&>>>;
  static constexpr bool valid = true;
};

inline constexpr std::int64_t earliest = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t latest = std::numeric_limits<std::int64_t>::max();

// Times and lengths that windows may have, so that none of their bounds overflows.
inline constexpr std::int64_t farthest = std::int64_t{1} << 61;
inline constexpr std::int64_t longest = std::int64_t{1} << 60;

// The largest multiple of `step` that is not after `time`.
constexpr std::int64_t round_down(std::int64_t time, std::int64_t step) noexcept {
  const std::int64_t past = time % step;
  return past < 0 ? time - past - step : time - past;
}

}  // namespace detail
}  // namespace weir
