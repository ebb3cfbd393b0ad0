// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/patterns/aggregate.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace weir::detail {

// A queue of tallies that knows their total, made of two stacks. In the front stack, each entry is
// the total from its tally to the end of that stack. For the back stack, one total is kept. Each
// tally is combined at most three times.
template <class A>
class two_stack_window {
 public:
  using tally = typename tallying<A>::tally;

  void push(const tallying<A>& with, tally last) {
    if (back_.empty()) {
      back_total_ = last;
    } else {
      with.combine(*back_total_, last);
    }
    back_.push_back(std::move(last));
  }

  // Drops the `count` oldest tallies, or all if there are fewer.
  void pop(const tallying<A>& with, std::uint64_t count) {
    const auto from_front = static_cast<std::size_t>(std::min<std::uint64_t>(count, front_.size()));
    front_.erase(front_.end() - static_cast<std::ptrdiff_t>(from_front), front_.end());
    const auto from_back = static_cast<std::size_t>(std::min<std::uint64_t>(count - from_front, back_.size()));
    if (from_back == 0) return;
    front_.reserve(back_.size() - from_back);
    for (std::size_t i = back_.size(); i-- != from_back;) {
      if (!front_.empty()) with.combine(back_[i], front_.back());
      front_.push_back(std::move(back_[i]));
    }
    back_.clear();
    back_total_.reset();
  }

  tally total(const tallying<A>& with) const {
    if (front_.empty()) return back_total_ ? *back_total_ : with.none();
    tally all = front_.back();
    if (back_total_) with.combine(all, *back_total_);
    return all;
  }

 private:
  std::vector<tally> front_;  // the oldest last
  std::vector<tally> back_;
  std::optional<tally> back_total_;
};

// The items of overlapping count windows: it gives the total of the current window, and advances to
// the next window by `slide` items.
template <class A>
class sliding_items {  // adds each item to each window
 public:
  using item = typename tallying<A>::item;
  using tally = typename tallying<A>::tally;

  sliding_items(const tallying<A>&, std::uint64_t, std::uint64_t slide) : slide_(slide) {}
  void add(const tallying<A>& with, item&& what) {
    if (until_next_ == 0) {
      open_.push_back(with.none());
      until_next_ = slide_;
    }
    --until_next_;
    for (tally& each : open_) with.add(each, what);
  }
  tally total(const tallying<A>&) const { return open_.front(); }
  void advance(const tallying<A>&, std::uint64_t) { open_.erase(open_.begin()); }

 private:
  std::uint64_t slide_;
  std::uint64_t until_next_ = 0;
  std::vector<tally> open_;
};

template <combines A>
class sliding_items<A> {  // divides the items into panes, which windows combine
 public:
  using item = typename tallying<A>::item;
  using tally = typename tallying<A>::tally;

  sliding_items(const tallying<A>& with, std::uint64_t size, std::uint64_t slide)
      : pane_size_(std::gcd(size, slide)), pane_(with.none()) {}
  void add(const tallying<A>& with, item&& what) {
    with.add(pane_, what);
    if (pane_.count == pane_size_) panes_.push(with, std::exchange(pane_, with.none()));
  }
  tally total(const tallying<A>& with) const {
    tally all = panes_.total(with);
    if (pane_.count != 0) with.combine(all, pane_);
    return all;
  }
  void advance(const tallying<A>& with, std::uint64_t slide) { panes_.pop(with, slide / pane_size_); }

 private:
  std::uint64_t pane_size_;
  tally pane_;
  two_stack_window<A> panes_;
};

template <removes A>
  requires(!combines<A>)
class sliding_items<A> {  // removes the items that leave the window
 public:
  using item = typename tallying<A>::item;
  using tally = typename tallying<A>::tally;

  sliding_items(const tallying<A>& with, std::uint64_t, std::uint64_t) : total_(with.none()) {}
  void add(const tallying<A>& with, item&& what) {
    with.add(total_, what);
    items_.push_back(std::move(what));
  }
  tally total(const tallying<A>&) const { return total_; }
  void advance(const tallying<A>& with, std::uint64_t slide) {
    for (std::uint64_t left = std::min<std::uint64_t>(slide, items_.size()); left != 0; --left) {
      with.remove(total_, items_.front());
      items_.pop_front();
    }
  }

 private:
  tally total_;
  std::deque<item> items_;
};

}  // namespace weir::detail
