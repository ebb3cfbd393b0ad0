// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/patterns/event_window_node.hpp"
#include "weir/patterns/time_window.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace weir {
namespace detail {

// The open sessions of one key, in order of time. Sessions don't overlap: consecutive items of one
// session are less than a gap apart.
template <combines A>
class session_windows {
 public:
  struct settings {
    tallying<A> with;
    std::int64_t gap;
  };
  using item = typename tallying<A>::item;
  using tally = typename tallying<A>::tally;
  using value = typename tallying<A>::value;

  taken add(const settings& how, std::int64_t time, const item& what, std::int64_t watermark) {
    auto first = open_.begin();
    while (first != open_.end() && first->end <= time) ++first;
    auto last = first;
    while (last != open_.end() && last->begin < time + how.gap) ++last;
    if (first == last) {
      if (time + how.gap <= watermark) return taken::late;
      first = open_.insert(first, {time, time + how.gap, how.with.none()});
    } else {
      for (auto next = std::next(first); next != last; ++next) {
        how.with.combine(first->all, next->all);
        first->end = next->end;
      }
      open_.erase(std::next(first), last);
      first->begin = std::min(first->begin, time);
      first->end = std::max(first->end, time + how.gap);
    }
    how.with.add(first->all, what);
    return taken::in_a_window;
  }

  std::int64_t next_end(const settings&) const noexcept { return open_.empty() ? latest : open_.front().end; }

  timed_tally<tally> close(const settings&) {
    timed_tally<tally> first = std::move(open_.front());
    open_.erase(open_.begin());
    return first;
  }

 private:
  std::vector<timed_tally<tally>> open_;
};

}  // namespace detail

/// A sequential node of session windows: each item of a session is less than `gap` after the one
/// before. A session begins at the time of its first item, and ends `gap` after that of its last.
/// An item that connects two sessions merges them. Watermark, late items, idle time, the end of the
/// stream and keys work as for time_window. The aggregate must have `combine`.
///
/// Cost for an item: O(1) calls, and a search of the open sessions of its key, of which there is
/// one if items come in order. O(log keys) for a session.
/// @throws std::invalid_argument if the gap is not positive, or the lateness or idle time is
/// negative
///
/// Source: T. Akidau et al., The dataflow model, VLDB 2015, §2.2.
template <class TimeOf, aggregator A>
auto session_window(TimeOf time_of, detail::span_of<TimeOf, A> gap, A aggregate,
                    detail::time_options_of<TimeOf, A> options = {}) {
  detail::check_time_of<TimeOf, A>();
  static_assert(detail::combines<A>,
                "weir: sessions grow together, so their aggregate needs combine(state&, const state&)");
  if constexpr (detail::combines<A>) {
    using clock = detail::clock_of<TimeOf, A>;
    detail::check_span("session_window", "a gap", clock::length(gap), 1);
    detail::check_span("session_window", "a lateness", clock::length(options.lateness), 0);
    detail::check_idle("session_window", options.idle);
    return detail::event_window_node<detail::session_windows<A>, TimeOf, detail::one_key>(
        {detail::tallying<A>(std::move(aggregate)), clock::length(gap)}, std::move(time_of), {}, std::move(options));
  }
}

}  // namespace weir
