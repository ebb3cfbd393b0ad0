// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/patterns/time_window.hpp"

#include "weir/blocks/fuse.hpp"
#include "weir/io/from.hpp"
#include "weir/patterns/aggregate.hpp"
#include "weir/patterns/session_window.hpp"

#include "windows.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <future>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace {

using namespace weir_test;
using namespace std::chrono_literals;
using weir::keyed;
using weir::session_window;
using weir::time_window;
using with_key = weir::keyed_window<std::string, std::string, std::int64_t>;

class time_windows : public each_executor {};
WEIR_UNDER_EACH_EXECUTOR(time_windows);

struct outcome {
  std::vector<with_key> windows;
  std::vector<long> late;
  friend bool operator==(const outcome&, const outcome&) = default;
};

std::string text_of(const std::multiset<long>& values) {
  std::string text;
  for (const long each : values) text += std::to_string(each) + ' ';
  return text;
}

// Computes each window by itself, straight from the definition: for each item all open windows are
// examined.
class definition {
 public:
  explicit definition(long lateness) : lateness_(lateness) {}
  virtual ~definition() = default;

  outcome of(const std::vector<event>& all, bool partial) {
    for (const event& each : all) {
      put(each);
      watermark_ = std::max(watermark_, each.time - lateness_);
      close(watermark_);
    }
    if (partial) close(std::numeric_limits<long>::max());
    return made_;
  }

 protected:
  struct open_window {
    std::string key;
    long begin;
    long end;
    std::multiset<long> values;
  };

  virtual void put(const event& item) = 0;

  open_window& open(const std::string& key, long begin, long end) {
    if (!first_seen_.contains(key)) first_seen_[key] = ++keys_;
    return open_.emplace_back(open_window{key, begin, end, {}});
  }

  std::vector<open_window> open_;
  long watermark_ = std::numeric_limits<long>::min();
  outcome made_;

 private:
  void close(long until) {
    std::ranges::stable_sort(open_, {}, [&](const open_window& w) { return std::pair(w.end, first_seen_[w.key]); });
    while (!open_.empty() && open_.front().end <= until) {
      const open_window w = open_.front();
      open_.erase(open_.begin());
      made_.windows.push_back({w.key, w.begin, w.end, w.values.size(), text_of(w.values)});
      if (std::ranges::none_of(open_, [&](const open_window& other) { return other.key == w.key; })) {
        first_seen_.erase(w.key);
      }
    }
  }

  long lateness_;
  std::map<std::string, long> first_seen_;
  long keys_ = 0;
};

class windows_by_definition : public definition {
 public:
  windows_by_definition(long size, long slide, long lateness) : definition(lateness), size_(size), slide_(slide) {}

 private:
  void put(const event& item) override {
    bool in_any = false;
    bool in_an_open_one = false;
    for (long begin = -2000 * slide_; begin <= item.time; begin += slide_) {
      if (item.time >= begin + size_) continue;
      in_any = true;
      if (begin + size_ <= watermark_) continue;
      in_an_open_one = true;
      const auto is_it = [&](const open_window& w) { return w.key == item.key && w.begin == begin; };
      const auto found = std::ranges::find_if(open_, is_it);
      (found != open_.end() ? *found : open(item.key, begin, begin + size_)).values.insert(item.value);
    }
    if (in_any && !in_an_open_one) made_.late.push_back(item.value);
  }

  long size_;
  long slide_;
};

class sessions_by_definition : public definition {
 public:
  sessions_by_definition(long gap, long lateness) : definition(lateness), gap_(gap) {}

 private:
  void put(const event& item) override {
    open_window all{item.key, item.time, item.time + gap_, {item.value}};
    const auto touches = [&](const open_window& w) {
      return w.key == item.key && w.begin < item.time + gap_ && item.time < w.end;
    };
    bool grows = false;
    for (const open_window& w : open_) {
      if (!touches(w)) continue;
      grows = true;
      all.begin = std::min(all.begin, w.begin);
      all.end = std::max(all.end, w.end);
      all.values.insert(w.values.begin(), w.values.end());
    }
    if (!grows && item.time + gap_ <= watermark_) {
      made_.late.push_back(item.value);
      return;
    }
    open_window& first = open(item.key, all.begin, all.end);
    first.values = std::move(all.values);
    const open_window kept = first;
    open_.pop_back();
    std::erase_if(open_, touches);
    open_.push_back(kept);
  }

  long gap_;
};

template <class Aggregate>
void is_as_defined(const under& how) {
  std::mt19937 random(3);
  for (int round = 0; round != 80; ++round) {
    const long disorder = round % 3 == 0 ? 0 : random() % 60;
    const std::vector<event> all = random_events(random, random() % 150, 1 + random() % 4, 5, disorder);
    const long size = 1 + random() % 30;
    const long slide = round % 4 == 0 ? size : 1 + random() % 40;
    const long lateness = random() % 40;
    const bool partial = random() % 4 != 0;
    weir::item_counter late_items;
    outcome got;
    weir::run(weir::from(all) |
                  keyed(&event::key, time_window(&event::time, size, slide, Aggregate{},
                                                 {.lateness = lateness,
                                                  .partial = partial,
                                                  .on_late = [&](const event& each) { got.late.push_back(each.value); },
                                                  .late_items = late_items})) |
                  keep(got.windows),
              how.options);
    EXPECT_EQ(late_items.count(), got.late.size());
    EXPECT_EQ(got, windows_by_definition(size, slide, lateness).of(all, partial))
        << "size " << size << ", slide " << slide << ", lateness " << lateness << ", disorder " << disorder;
  }
}

TEST_P(time_windows, are_as_defined_when_items_are_added_to_each) { is_as_defined<sorted_values>(GetParam()); }
TEST_P(time_windows, are_as_defined_when_panes_are_combined) { is_as_defined<sorted_by_combining>(GetParam()); }

TEST_P(time_windows, of_items_in_order_combine_panes_in_order) {
  std::mt19937 random(4);
  for (const long slide : {1L, 3L, 7L, 20L}) {
    const std::vector<event> all = random_events(random, 300, 1);
    std::vector<weir::window<std::string, std::int64_t>> got;
    run(weir::from(all) | time_window(&event::time, 20, slide, listing_by_combining{}) | keep(got));
    std::vector<with_key> expected = windows_by_definition(20, slide, 0).of(all, true).windows;
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t i = 0; i != got.size(); ++i) EXPECT_EQ(got[i].value, expected[i].value);
  }
}

TEST_P(time_windows, sessions_are_as_defined) {
  std::mt19937 random(5);
  for (int round = 0; round != 80; ++round) {
    const std::vector<event> all = random_events(random, random() % 150, 1 + random() % 4, 5, random() % 60);
    const long gap = 1 + random() % 30;
    const long lateness = random() % 40;
    const bool partial = random() % 4 != 0;
    outcome got;
    run(weir::from(all) |
        keyed(&event::key, session_window(&event::time, gap, sorted_by_combining{},
                                          {.lateness = lateness,
                                           .partial = partial,
                                           .on_late = [&](const event& each) { got.late.push_back(each.value); }})) |
        keep(got.windows));
    EXPECT_EQ(got, sessions_by_definition(gap, lateness).of(all, partial))
        << "gap " << gap << ", lateness " << lateness;
  }
}

TEST_P(time_windows, in_a_farm_are_those_of_one_node) {
  std::mt19937 random(6);
  const std::vector<event> all = random_events(random, 3000, 40);
  std::vector<with_key> got;
  run(weir::from(all) |
      weir::farm(keyed(&event::key, time_window(&event::time, 50, 20, listing_by_combining{})), 3).by_key(&event::key) |
      keep(got));
  std::vector<with_key> expected = windows_by_definition(50, 20, 0).of(all, true).windows;
  const auto order = [](const with_key& w) { return std::tie(w.key, w.begin); };
  std::ranges::sort(got, {}, order);
  std::ranges::sort(expected, {}, order);
  EXPECT_EQ(got, expected);
}

TEST_P(time_windows, begin_anew_in_each_run) {
  const auto count = weir::aggregate(0, [](int& to, long) { ++to; });
  const auto itself = [](long n) { return n; };
  std::vector<weir::window<int, std::int64_t>> got;
  weir::network net = weir::from({1L, 5L, 12L}) | time_window(itself, 10, count) | keep(got);
  run(net);
  run(net);
  EXPECT_EQ(got, (decltype(got){{0, 10, 2, 2}, {10, 20, 1, 1}, {0, 10, 2, 2}, {10, 20, 1, 1}}));
  got.clear();
  run(numbers(0) | time_window(itself, 10, 5, count) | keep(got));
  EXPECT_TRUE(got.empty());
}

// The source sends nothing until windows have arrived, and then goes on. Its items reach the
// windows in two calls; the time is checked only between these calls.
TEST_P(time_windows, are_sent_when_nothing_comes) {
  using weir::item_counter;
  const auto count = weir::aggregate(
      0, [](int& to, long) { ++to; }, [](int& to, int later) { to += later; });
  const auto itself = [](long n) { return n; };
  const auto run_with = [&](auto windows, std::size_t awaited) {
    std::promise<void> arrived;
    std::vector<weir::window<int, std::int64_t>> got;
    run(weir::source([&](weir::outlet<long>& out) {
          out.send(0);
          arrived.get_future().wait();
          out.send(1);
        }) |
        weir::fuse(
            [](long part, weir::outlet<long>& out) {
              for (const long n : part == 0 ? std::vector<long>{1, 2, 11, 24} : std::vector<long>{23, 31}) out.send(n);
            },
            windows) |
        weir::sink([&](weir::window<int, std::int64_t> each) {
          got.push_back(each);
          if (got.size() == awaited) arrived.set_value();
        }));
    return got;
  };
  using made = std::vector<weir::window<int, std::int64_t>>;
  item_counter late;
  EXPECT_EQ(run_with(time_window(itself, 10, count, {.lateness = 100, .late_items = late, .idle = 2ms}), 3),
            (made{{0, 10, 2, 2}, {10, 20, 1, 1}, {20, 30, 1, 1}, {30, 40, 1, 1}}));
  EXPECT_EQ(late.count(), 1u);
  // With overlapping windows, 23 finds no open window, and 31 belongs to one window that has been
  // sent and one that has not.
  item_counter late_too;
  EXPECT_EQ(run_with(time_window(itself, 20, 10, count, {.late_items = late_too, .idle = 2ms}), 4),
            (made{{-10, 10, 2, 2}, {0, 20, 3, 3}, {10, 30, 2, 2}, {20, 40, 1, 1}, {30, 50, 1, 1}}));
  EXPECT_EQ(late_too.count(), 1u);
  item_counter late_sessions;
  EXPECT_EQ(run_with(session_window(itself, 5, count, {.lateness = 100, .late_items = late_sessions, .idle = 2ms}), 3),
            (made{{1, 7, 2, 2}, {11, 16, 1, 1}, {24, 29, 1, 1}, {31, 36, 1, 1}}));
  EXPECT_EQ(late_sessions.count(), 1u);
}

TEST_P(time_windows, what_user_functions_throw_names_the_node) {
  const auto throws = [&](auto windows) -> std::string {
    std::vector<weir::window<long, std::int64_t>> got;
    try {
      run(numbers(100) | weir::node(windows).named("tens") | keep(got));
      return "nothing";
    } catch (const weir::node_error& error) {
      return error.what();
    }
  };
  const auto sum = weir::aggregate(0L, [](long& to, long item) { to += item; });
  const auto itself = [](long n) { return n; };
  EXPECT_EQ(throws(time_window([](long n) { return n < 50 ? n : throw std::runtime_error("no time"); }, 10, sum)),
            "/tens: no time");
  EXPECT_EQ(throws(time_window(itself, 10, weir::aggregate(0L, [](long&, long) { throw std::runtime_error("add"); }))),
            "/tens: add");
  EXPECT_EQ(throws(time_window([](long n) { return 50 - n; }, 10, sum,
                               {.on_late = [](long) { throw std::runtime_error("too late"); }})),
            "/tens: too late");
  EXPECT_EQ(throws(time_window([](long) { return std::numeric_limits<long>::max(); }, 10, sum)),
            "/tens: the time of an item, 9223372036854775807 ticks, is too far from 0; use a coarser unit");
}

TEST(time_window, takes_the_types_of_chrono) {
  using time = std::chrono::sys_time<std::chrono::milliseconds>;
  struct reading {
    time at;
    int value;
  };
  const auto sum = weir::aggregate(0, [](int& to, const reading& item) { to += item.value; });
  const std::vector<reading> all{{time(100ms), 1}, {time(59s), 2}, {time(60s), 4}, {time(-1ms), 8}, {time(61s), 16}};
  std::vector<weir::window<int, time>> got;
  weir::run(weir::from(all) | time_window(&reading::at, 1min, sum, {.lateness = 2min}) | keep(got));
  EXPECT_EQ(got, (decltype(got){
                     {time(-1min), time(0s), 1, 8}, {time(0s), time(1min), 2, 3}, {time(1min), time(2min), 2, 20}}));

  const auto since = [](const reading& r) { return r.at.time_since_epoch(); };
  std::vector<weir::window<int, std::chrono::milliseconds>> sessions;
  const auto joined = weir::aggregate(
      0, [](int& to, const reading& item) { to += item.value; }, [](int& to, int later) { to += later; });
  weir::run(weir::from(all) | session_window(since, 1s, joined, {.lateness = 1h}) | keep(sessions));
  EXPECT_EQ(sessions,
            (decltype(sessions){{-1ms, 1100ms, 2, 9}, {59s, 60s, 1, 2}, {60s, 61s, 1, 4}, {61s, 62s, 1, 16}}));
}

TEST(time_window, refuses_lengths_of_nothing) {
  const auto count = weir::aggregate(
      0, [](int& to, long) { ++to; }, [](int& to, int later) { to += later; });
  const auto itself = [](long n) { return n; };
  const auto says = [](auto make) -> std::string {
    try {
      make();
      return "nothing";
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
  };
  EXPECT_EQ(says([&] { time_window(itself, 0, 1, count); }), "time_window: a size of 0 ticks can't be; use at least 1");
  EXPECT_EQ(says([&] { time_window(itself, 1, 0, count); }),
            "time_window: a slide of 0 ticks can't be; use at least 1");
  EXPECT_EQ(says([&] { time_window(itself, 1, count, {.lateness = -1}); }),
            "time_window: a lateness of -1 ticks can't be; use at least 0");
  EXPECT_EQ(says([&] { time_window(itself, std::numeric_limits<long>::max(), count); }),
            "time_window: a size of 9223372036854775807 ticks can't be; use a coarser unit");
  EXPECT_EQ(says([&] { time_window(itself, 1, count, {.idle = -1ns}); }),
            "time_window: an idle time of -1 ns can't be; use 0 for none, or at most 100 years");
  EXPECT_EQ(says([&] { session_window(itself, -5, count); }),
            "session_window: a gap of -5 ticks can't be; use at least 1");
}

}  // namespace
