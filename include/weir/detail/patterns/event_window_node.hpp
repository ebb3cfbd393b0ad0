// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/outlet.hpp"
#include "weir/detail/patterns/time_panes.hpp"
#include "weir/patterns/event_time.hpp"
#include "weir/patterns/window.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace weir::detail {

// The node of time windows and session windows. `Windows` are the open windows of one key.
template <class Windows, class TimeOf, class KeyOf>
class event_window_node {
  using tally = typename Windows::tally;

 public:
  using item = typename Windows::item;

 private:
  using key_type = key_result<KeyOf, item>;
  using clock = typename clock_for<TimeOf, item>::type;
  using bound = typename clock::bound;
  using made = window_result<key_type, typename Windows::value, bound>;

 public:
  using result = typename made::type;
  using options = time_window_options<item, typename clock::span>;

  event_window_node(typename Windows::settings how, TimeOf time_of, KeyOf key_of, options more)
      : how_(std::move(how)), time_of_(std::move(time_of)), key_of_(std::move(key_of)), options_(std::move(more)) {}

  template <class Key>
  auto keyed(Key key_of) && {
    return event_window_node<Windows, TimeOf, Key>(std::move(how_), std::move(time_of_), std::move(key_of),
                                                   std::move(options_));
  }

  void start() { forget(); }

  void process(item what, outlet<result>& out) {
    const std::int64_t time = clock::ticks(std::invoke(time_of_, std::as_const(what)));
    if (time < -farthest || time > farthest) {
      throw std::out_of_range("the time of an item, " + std::to_string(time) +
                              " ticks, is too far from 0; use a coarser unit");
    }
    run_.took_some = true;
    auto& entry = run_.table.at(std::invoke(key_of_, std::as_const(what)), [&] { return windows_of_key{run_.keys++}; });
    auto& of = entry.second;
    const taken where = of.windows.add(how_, time, what, run_.watermark);
    if (const std::int64_t end = of.windows.next_end(how_); end == latest) {
      run_.table.erase(entry.first);
    } else if (end < of.due) {
      if (of.due != latest) run_.due.erase({of.due, of.number, &entry});
      of.due = end;
      run_.due.insert({end, of.number, &entry});
    }
    if (where == taken::late) {
      options_.late_items.add();
      if (options_.on_late) options_.on_late(std::move(what));
    }
    run_.watermark = std::max(run_.watermark, time - clock::length(options_.lateness));
    if (!run_.due.empty() && run_.due.begin()->end <= run_.watermark) close_until(run_.watermark, out);
  }

  std::chrono::steady_clock::time_point deadline() {
    using steady = std::chrono::steady_clock;
    if (options_.idle.count() == 0 || run_.due.empty()) return steady::time_point::max();
    if (std::exchange(run_.took_some, false)) run_.quiet_since = steady::now();
    return run_.quiet_since + options_.idle;
  }

  // Closes all windows, as if time had advanced to the end of the last one.
  void on_deadline(outlet<result>& out) {
    while (!run_.due.empty()) {
      run_.watermark = std::max(run_.watermark, run_.due.rbegin()->end);
      close_until(run_.watermark, out);
    }
  }

  void finish(outlet<result>& out) {
    if (options_.partial) close_until(latest, out);
    forget();
  }

 private:
  struct windows_of_key {
    std::uint64_t number;  // number of the key, in order of appearance
    Windows windows{};
    std::int64_t due = latest;  // not after the end of the first window
  };
  using entry_type = std::pair<const key_type, windows_of_key>;
  struct due_entry {
    std::int64_t end;
    std::uint64_t number;
    entry_type* entry;
    bool operator<(const due_entry& other) const noexcept {
      return std::tie(end, number) < std::tie(other.end, other.number);
    }
  };
  struct state {
    key_table<key_type, windows_of_key> table;
    std::set<due_entry> due;  // one for each entry of the table
    std::uint64_t keys = 0;
    std::int64_t watermark = earliest;
    bool took_some = false;  // since the last call of `deadline`
    std::chrono::steady_clock::time_point quiet_since{};
  };

  void forget() {
    run_.due.clear();
    run_.table.clear();
    run_.keys = 0;
    run_.watermark = earliest;
  }

  // Closes the windows that end no later than `watermark`, in the order of their ends, then of the
  // numbers of their keys.
  void close_until(std::int64_t watermark, outlet<result>& out) {
    while (!run_.due.empty() && run_.due.begin()->end <= watermark) {
      auto first = run_.due.extract(run_.due.begin());
      entry_type& entry = *first.value().entry;
      windows_of_key& of = entry.second;
      if (of.windows.next_end(how_) == of.due) {
        timed_tally<tally> closed = of.windows.close(how_);
        const std::uint64_t count = closed.all.count;
        out.send(made::make(entry.first, clock::at(closed.begin), clock::at(closed.end), count,
                            how_.with.result(std::move(closed.all))));
      }
      of.due = of.windows.next_end(how_);
      if (of.due == latest) {
        run_.table.erase(entry.first);
      } else {
        first.value().end = of.due;
        run_.due.insert(std::move(first));
      }
    }
  }

  typename Windows::settings how_;
  TimeOf time_of_;
  KeyOf key_of_;
  options options_;
  run_state<state> run_;
};

// An idle time of more than 100 years is refused, because it could not be added to a time.
inline void check_idle(const char* where, std::chrono::nanoseconds idle) {
  constexpr std::chrono::hours most{24 * 365 * 100};
  if (idle.count() >= 0 && idle <= most) return;
  throw std::invalid_argument(std::string(where) + ": an idle time of " + std::to_string(idle.count()) +
                              " ns can't be; use 0 for none, or at most 100 years");
}

inline void check_span(const char* where, const char* what, std::int64_t ticks, std::int64_t least) {
  if (ticks >= least && ticks <= longest) return;
  throw std::invalid_argument(std::string(where) + ": " + what + " of " + std::to_string(ticks) +
                              " ticks can't be; use " +
                              (ticks > longest ? "a coarser unit" : "at least " + std::to_string(least)));
}

}  // namespace weir::detail
