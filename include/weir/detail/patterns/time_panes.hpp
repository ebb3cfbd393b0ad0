// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/patterns/aggregate.hpp"
#include "weir/patterns/event_time.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace weir::detail {

template <class Tally>
struct timed_tally {
  std::int64_t begin;
  std::int64_t end;
  Tally all;
};

enum class taken { in_a_window, in_none, late };

// Settings of time windows, in ticks. Windows begin at the multiples of the slide.
template <class A>
struct time_settings {
  time_settings(tallying<A> how, std::int64_t window_size, std::int64_t window_slide)
      : with(std::move(how)), size(window_size), slide(window_slide), pane(std::gcd(window_size, window_slide)) {}

  // The begin of the first window that ends after `time`, and of the last window that begins at
  // `time` or before.
  std::int64_t first_after(std::int64_t time) const noexcept { return round_down(time - size, slide) + slide; }
  std::int64_t last_until(std::int64_t time) const noexcept { return round_down(time, slide); }

  tallying<A> with;
  std::int64_t size;
  std::int64_t slide;
  std::int64_t pane;
};

// The open windows of one key. In `add`, windows that end no later than `watermark` have been
// closed.
template <class A>
class time_windows {  // adds each item to each of its windows
 public:
  using settings = time_settings<A>;
  using item = typename tallying<A>::item;
  using tally = typename tallying<A>::tally;
  using value = typename tallying<A>::value;

  taken add(const settings& how, std::int64_t time, const item& what, std::int64_t watermark) {
    const std::int64_t last = how.last_until(time);
    if (last < how.first_after(time)) return taken::in_none;
    std::int64_t begin = how.first_after(std::max(time, watermark));
    if (last < begin) return taken::late;
    for (; begin <= last; begin += how.slide) {
      how.with.add(open_.try_emplace(begin, how.with.none()).first->second, what);
    }
    return taken::in_a_window;
  }

  // Returns the end of the first window; `latest` if there is none.
  std::int64_t next_end(const settings& how) const noexcept {
    return open_.empty() ? latest : open_.begin()->first + how.size;
  }

  // Closes the first window.
  timed_tally<tally> close(const settings& how) {
    auto first = open_.extract(open_.begin());
    return {first.key(), first.key() + how.size, std::move(first.mapped())};
  }

 private:
  std::map<std::int64_t, tally> open_;
};

// Keeps the panes that hold items, in order of time. The total of a window has two parts, as in a
// two_stack_window: each of the first `flipped_` panes stores the total from it to the last of
// these panes, and `later_` is the total of the panes from there to `summed_`. An item for a pane
// that is already in a total invalidates that part of the total.
template <combines A>
class time_windows<A> {
 public:
  using settings = time_settings<A>;
  using item = typename tallying<A>::item;
  using tally = typename tallying<A>::tally;
  using value = typename tallying<A>::value;

  taken add(const settings& how, std::int64_t time, const item& what, std::int64_t watermark) {
    if (summed_ < panes_.size() && time >= panes_.back().begin && time - panes_.back().begin < how.pane) {
      how.with.add(panes_.back().own, what);
      return taken::in_a_window;
    }
    const std::int64_t last = how.last_until(time);
    if (last < how.first_after(time)) return taken::in_none;
    const std::int64_t first = how.first_after(std::max(time, watermark));
    if (last < first) return taken::late;
    next_ = panes_.empty() ? first : std::min(next_, first);
    const std::int64_t begin = round_down(time, how.pane);
    auto at = panes_.end();
    if (!panes_.empty() && panes_.back().begin >= begin) at = std::ranges::lower_bound(panes_, begin, {}, &pane::begin);
    forget_total(static_cast<std::size_t>(at - panes_.begin()));
    if (at == panes_.end() || at->begin != begin) at = panes_.insert(at, {begin, how.with.none(), std::nullopt});
    how.with.add(at->own, what);
    return taken::in_a_window;
  }

  std::int64_t next_end(const settings& how) const noexcept { return panes_.empty() ? latest : next_ + how.size; }

  timed_tally<tally> close(const settings& how) {
    const std::int64_t begin = next_;
    const std::int64_t end = begin + how.size;
    const bool apart = how.slide >= how.size;  // no other window needs these panes
    for (; summed_ != panes_.size() && panes_[summed_].begin < end; ++summed_) {
      tally& next = panes_[summed_].own;
      if (later_) {
        how.with.combine(*later_, next);
      } else if (apart) {
        later_ = std::move(next);
      } else {
        later_ = next;
      }
    }
    std::optional<tally> all;
    if (flipped_ == 0) {
      all = apart ? std::exchange(later_, std::nullopt) : later_;
    } else {
      all = panes_.front().total;
      if (later_) how.with.combine(*all, *later_);
    }
    drop_before(how, begin + how.slide);
    if (!panes_.empty()) next_ = std::max(begin + how.slide, how.first_after(panes_.front().begin));
    return {begin, end, std::move(*all)};
  }

 private:
  struct pane {
    std::int64_t begin;
    tally own;
    std::optional<tally> total;
  };

  void forget_total(std::size_t changed) noexcept {
    if (changed >= summed_) return;
    if (changed < flipped_) flipped_ = 0;
    summed_ = flipped_;
    later_.reset();
  }

  void drop_before(const settings& how, std::int64_t time) {
    const auto stays = std::ranges::find_if(panes_, [&](const pane& each) { return each.begin >= time; });
    const auto gone = static_cast<std::size_t>(stays - panes_.begin());
    panes_.erase(panes_.begin(), stays);
    summed_ -= std::min(gone, summed_);
    if (gone <= flipped_) {
      flipped_ -= gone;
      return;
    }
    flipped_ = summed_;
    later_.reset();
    for (std::size_t i = summed_; i-- != 0;) {
      panes_[i].total = panes_[i].own;
      if (i + 1 != summed_) how.with.combine(*panes_[i].total, *panes_[i + 1].total);
    }
  }

  std::deque<pane> panes_;
  std::size_t flipped_ = 0;
  std::size_t summed_ = 0;
  std::optional<tally> later_;
  std::int64_t next_ = 0;  // begin of the window that ends first
};

}  // namespace weir::detail
