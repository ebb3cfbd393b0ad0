// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/patterns/event_window_node.hpp"
#include "weir/detail/patterns/time_panes.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>

namespace weir {
namespace detail {

template <class TimeOf, class A>
using clock_of = typename clock_for<TimeOf, typename aggregated<A>::item>::type;
template <class TimeOf, class A>
using span_of = typename clock_of<TimeOf, A>::span;
template <class TimeOf, class A>
using time_options_of = time_window_options<typename aggregated<A>::item, span_of<TimeOf, A>>;

template <class TimeOf, class A>
constexpr void check_time_of() {
  using item = typename aggregated<A>::item;
  static_assert(
      clock_for<TimeOf, item>::valid,
      "weir: the time of a window's items is an integer, or a std::chrono duration or time_point of integers");
}

}  // namespace detail

/// A sequential node of windows over the times of items. The time is `time_of(item)`, or the member
/// to which `time_of` points: an integer, or a duration or time_point of an integral
/// representation. A window is `size` long, and the next one begins `slide` later. Windows begin at
/// multiples of the slide from time 0 (the epoch of a time_point). They overlap if the slide is
/// less than the size; items between windows are left out if it is more. The node sends a
/// `window<V, Time>` for each window that holds an item.
///
/// Items need not come in order. The watermark is the latest time seen, less `options.lateness`. A
/// window is sent when the watermark reaches its end. An item that comes later is added to those of
/// its windows that are still open, and is late if there is none (`on_late`, `late_items`). Windows
/// that are open at the end of the stream are sent then, unless `options.partial` is false. Windows
/// that are open when no item has come for `options.idle` are sent too. Windows are sent in the
/// order of their ends and, for several keys (`keyed`), in the order in which the keys appeared; a
/// key without an open window is forgotten. There is one watermark for all keys of a node, and one
/// for each worker of a farm. The lateness must allow for the interleaving of several producers.
///
/// Cost for an item, amortised: with an aggregate that has `combine`, O(1) calls, and O(log keys)
/// for a window; panes of gcd(size, slide) that hold items are kept, with one or two states each.
/// An item that changes a pane whose total a window has used costs the next window of its key as
/// many calls as the window has panes. Without `combine`, an item costs size / slide calls of
/// `add`, with a state for each open window.
/// @throws std::invalid_argument if size or slide is not positive, or the lateness or idle time is
/// negative. A time of more than 2^61 ticks is a node_error.
///
/// Source: T. Akidau et al., The dataflow model, VLDB 2015 (event time, watermarks); K. Tangwongsan
/// et al., VLDB 2015 (aggregation); J. Li et al., No pane, no gain, SIGMOD Record 2005 (panes); G.
/// Mencagli et al., WindFlow, IEEE TPDS 2021.
template <class TimeOf, aggregator A>
auto time_window(TimeOf time_of, detail::span_of<TimeOf, A> size, detail::span_of<TimeOf, A> slide, A aggregate,
                 detail::time_options_of<TimeOf, A> options = {}) {
  detail::check_time_of<TimeOf, A>();
  using clock = detail::clock_of<TimeOf, A>;
  detail::check_span("time_window", "a size", clock::length(size), 1);
  detail::check_span("time_window", "a slide", clock::length(slide), 1);
  detail::check_span("time_window", "a lateness", clock::length(options.lateness), 0);
  detail::check_idle("time_window", options.idle);
  return detail::event_window_node<detail::time_windows<A>, TimeOf, detail::one_key>(
      {detail::tallying<A>(std::move(aggregate)), clock::length(size), clock::length(slide)}, std::move(time_of), {},
      std::move(options));
}

/// As above, for windows that follow each other: the slide is the size.
template <class TimeOf, aggregator A>
auto time_window(TimeOf time_of, detail::span_of<TimeOf, A> size, A aggregate,
                 detail::time_options_of<TimeOf, A> options = {}) {
  return time_window(std::move(time_of), size, size, std::move(aggregate), std::move(options));
}

}  // namespace weir
