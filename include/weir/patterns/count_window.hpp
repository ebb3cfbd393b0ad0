// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/outlet.hpp"
#include "weir/detail/patterns/two_stack_window.hpp"
#include "weir/patterns/aggregate.hpp"
#include "weir/patterns/window.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {

/// Options of `count_window`.
struct count_window_options {
  /// Whether `finish` sends the windows that have begun and are not full, with the bounds that they
  /// would have had.
  bool partial = false;
};

namespace detail {

// The windows of one key.
template <class A>
class count_windows {
 public:
  using item = typename tallying<A>::item;
  using tally = typename tallying<A>::tally;

  struct settings {
    tallying<A> with;
    std::uint64_t size;
    std::uint64_t slide;
    count_window_options options;
  };

  count_windows(const settings& how, std::uint64_t number)
      : number_(number), end_(how.size), current_(how.with.none()), sliding_(how.with, how.size, how.slide) {}

  // Returns the number of keys that appeared before this one.
  std::uint64_t number() const noexcept { return number_; }

  // Adds an item, and calls emit(begin, tally) if a window is now full.
  template <class Emit>
  void add(const settings& how, item&& what, Emit&& emit) {
    const std::uint64_t position = count_++;
    const bool apart = how.slide >= how.size;
    if (!apart) {
      sliding_.add(how.with, std::move(what));
    } else if (position >= end_ - how.size) {
      how.with.add(current_, what);
    }
    if (count_ != end_) return;
    const std::uint64_t begin = end_ - how.size;
    end_ = how.slide > std::numeric_limits<std::uint64_t>::max() - end_ ? std::numeric_limits<std::uint64_t>::max()
                                                                        : end_ + how.slide;
    if (apart) {
      emit(begin, std::exchange(current_, how.with.none()));
    } else {
      tally total = sliding_.total(how.with);
      sliding_.advance(how.with, how.slide);
      emit(begin, std::move(total));
    }
  }

  // Calls emit(begin, tally) for the windows that are not full.
  template <class Emit>
  void finish(const settings& how, Emit&& emit) {
    std::uint64_t begin = end_ - how.size;
    if (how.slide >= how.size) {
      if (current_.count != 0) emit(begin, std::move(current_));
      return;
    }
    for (; begin < count_; begin += how.slide) {
      emit(begin, sliding_.total(how.with));
      sliding_.advance(how.with, how.slide);
    }
  }

 private:
  std::uint64_t number_;
  std::uint64_t count_ = 0;  // items so far
  std::uint64_t end_;        // end of the next window to become full
  tally current_;            // the current window, if windows don't overlap
  sliding_items<A> sliding_;
};

template <class A, class KeyOf>
class count_window_node {
  using windows = count_windows<A>;
  using key_type = key_result<KeyOf, typename windows::item>;
  using made = window_result<key_type, typename tallying<A>::value, std::uint64_t>;
  struct state {
    key_table<key_type, windows> table;
    std::uint64_t keys = 0;  // number of keys that have appeared
  };

 public:
  using item = typename windows::item;
  using result = typename made::type;

  count_window_node(typename windows::settings how, KeyOf key_of) : how_(std::move(how)), key_of_(std::move(key_of)) {}

  template <class Key>
  auto keyed(Key key_of) && {
    return count_window_node<A, Key>(std::move(how_), std::move(key_of));
  }

  void start() {
    run_.table.clear();
    run_.keys = 0;
  }

  void process(item what, outlet<result>& out) {
    auto& [key, of] =
        run_.table.at(std::invoke(key_of_, std::as_const(what)), [&] { return windows(how_, run_.keys++); });
    of.add(how_, std::move(what), sending(key, out));
  }

  void finish(outlet<result>& out) {
    if (how_.options.partial) {
      std::vector<std::pair<const key_type, windows>*> all;
      run_.table.for_each([&](auto& each) { all.push_back(&each); });
      std::ranges::sort(all, {}, [](const auto* each) { return each->second.number(); });
      for (auto* each : all) each->second.finish(how_, sending(each->first, out));
    }
    run_.table.clear();
  }

 private:
  auto sending(const key_type& of, outlet<result>& out) const {
    return [this, &of, &out](std::uint64_t begin, typename windows::tally&& all) {
      const std::uint64_t count = all.count;
      out.send(made::make(of, begin, begin + how_.size, count, how_.with.result(std::move(all))));
    };
  }

  typename windows::settings how_;
  KeyOf key_of_;
  run_state<state> run_;
};

}  // namespace detail

/// A sequential node of windows of `size` items. Each window begins `slide` items after the one
/// before: windows overlap if the slide is less than the size, follow each other if it is equal,
/// and leave out items if it is more. The node sends a `window<V, std::uint64_t>` when a window is
/// full. Windows that are not full at the end of the stream are left out, unless `options.partial`
/// is set. Windows are sent in the order of their ends; with keys (`keyed`), each when its last
/// item arrives. Partial windows are sent in the order in which their keys first appeared.
///
/// Cost for an item, with overlapping windows, amortised: O(1) calls if the aggregate has
/// `combine`, in panes of gcd(size, slide) items, of which `size / gcd` states are kept; else O(1)
/// if it has `remove`, with `size` items kept; else size / slide calls of `add`. Without overlap:
/// one `add` and one state. Memory: these for each key, until the run ends.
/// @throws std::invalid_argument if the size or the slide is 0
///
/// Source: K. Tangwongsan et al., General incremental sliding-window aggregation, VLDB 2015, §2,
/// and their two stacks (DABA, DEBS 2017); panes: J. Li et al., No pane, no gain, SIGMOD Record
/// 2005; G. Mencagli et al., WindFlow, IEEE TPDS 2021.
template <aggregator A>
auto count_window(std::size_t size, std::size_t slide, A aggregate, count_window_options options = {}) {
  if (size == 0) throw std::invalid_argument("count_window: a size of 0 holds nothing; use at least 1");
  if (slide == 0) throw std::invalid_argument("count_window: a slide of 0 would not go on; use at least 1");
  return detail::count_window_node<A, detail::one_key>(
      {detail::tallying<A>(std::move(aggregate)), size, slide, options}, {});
}

/// As above, for windows that follow each other: the slide is the size.
template <aggregator A>
auto count_window(std::size_t size, A aggregate, count_window_options options = {}) {
  return count_window(size, size, std::move(aggregate), options);
}

}  // namespace weir
