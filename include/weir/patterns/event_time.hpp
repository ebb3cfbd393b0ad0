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

/// Counter of items. Copies share one count. Any thread may read and count.
class item_counter {
 public:
  item_counter() : count_(std::make_shared<std::atomic<std::uint64_t>>(0)) {}

  /// Returns the number counted so far, in all runs of all nodes that have a copy.
  std::uint64_t count() const noexcept { return count_->load(std::memory_order_relaxed); }
  /// Counts one item.
  void add() const noexcept { count_->fetch_add(1, std::memory_order_relaxed); }

 private:
  std::shared_ptr<std::atomic<std::uint64_t>> count_;
};

/// Options of windows over items of type `T`, whose times differ by a `Span`.
template <class T, class Span>
struct time_window_options {
  /// How far an item may lie behind the latest item that came before it. Windows of an item that
  /// lies farther behind may already be closed.
  Span lateness{};
  /// Whether `finish` sends the windows that are still open. Their bounds are those they would have
  /// been.
  bool partial = true;
  /// Receives the items for which no window is open any more; if empty, these items are dropped.
  /// Each node has a copy.
  std::function<void(T)> on_late{};
  /// Counts the late items, whether or not `on_late` is set.
  item_counter late_items{};
  /// Time without items after which the open windows are sent as if their ends had passed, so that
  /// a quiet source does not hold them back. Items that arrive for these windows afterwards are
  /// late. 0: windows wait for later items, or for the end of the stream.
  std::chrono::nanoseconds idle{0};
};

namespace detail {

// Converts a time to a number of ticks and back; `span` is the type of the distance of two times.
template <class Time>
struct event_clock;  // undefined: not a type of time that windows accept

template <std::integral Time>
  requires(!std::same_as<Time, bool>)
struct event_clock<Time> {
  using bound = std::int64_t;
  using span = std::int64_t;
  static std::int64_t ticks(Time time) noexcept { return static_cast<std::int64_t>(time); }
  static std::int64_t length(span of) noexcept { return of; }
  static bound at(std::int64_t ticks) noexcept { return ticks; }
};

// Ticks of 64 bits with a sign: the type that a duration has already, if it is one, so that windows
// over milliseconds have bounds of that very type. Standard libraries differ in whether it is long.
template <std::integral Rep>
using ticks_of = std::conditional_t<std::is_signed_v<Rep> && sizeof(Rep) == sizeof(std::int64_t), Rep, std::int64_t>;

template <std::integral Rep, class Period>
struct event_clock<std::chrono::duration<Rep, Period>> {
  using bound = std::chrono::duration<ticks_of<Rep>, Period>;
  using span = bound;
  static std::int64_t ticks(span time) noexcept { return time.count(); }
  static std::int64_t length(span of) noexcept { return of.count(); }
  static bound at(std::int64_t ticks) noexcept { return bound(ticks); }
};

template <class Clock, std::integral Rep, class Period>
struct event_clock<std::chrono::time_point<Clock, std::chrono::duration<Rep, Period>>> {
  using span = std::chrono::duration<ticks_of<Rep>, Period>;
  using bound = std::chrono::time_point<Clock, span>;
  static std::int64_t ticks(bound time) noexcept { return time.time_since_epoch().count(); }
  static std::int64_t length(span of) noexcept { return of.count(); }
  static bound at(std::int64_t ticks) noexcept { return bound(span(ticks)); }
};

template <class Time>
concept event_time = requires { typename event_clock<Time>::bound; };

// The clock of the times that a function of items returns; the clock of integers if the result is
// not a time, so that a static_assert can report the error in words.
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

// Limits of times and lengths, chosen so that no bound of a window overflows.
inline constexpr std::int64_t farthest = std::int64_t{1} << 61;
inline constexpr std::int64_t longest = std::int64_t{1} << 60;

// Returns the largest multiple of `step` that is not after `time`.
constexpr std::int64_t round_down(std::int64_t time, std::int64_t step) noexcept {
  const std::int64_t past = time % step;
  return past < 0 ? time - past - step : time - past;
}

}  // namespace detail
}  // namespace weir
