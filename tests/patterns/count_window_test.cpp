// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/patterns/count_window.hpp"

#include "weir/io/from.hpp"
#include "weir/patterns/aggregate.hpp"

#include "windows.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace {

using namespace weir_test;
using weir::count_window;
using weir::keyed;
using plain = weir::window<std::string, std::uint64_t>;
using with_key = weir::keyed_window<std::string, std::string, std::uint64_t>;

class count_windows : public each_executor {};
WEIR_UNDER_EACH_EXECUTOR(count_windows);

// Computes each window by itself, straight from the definition. A window is listed at its last
// item, or at the end in the order of keys.
std::vector<with_key> by_definition(const std::vector<event>& all, std::size_t size, std::size_t slide, bool partial) {
  std::map<std::string, std::vector<long>> of_key;
  std::vector<std::string> keys;
  std::vector<with_key> windows;
  const auto make = [&](const std::string& key, std::size_t begin) {
    const std::vector<long>& items = of_key[key];
    std::string text;
    const std::size_t end = std::min(items.size(), begin + size);
    for (std::size_t i = begin; i < end; ++i) text += std::to_string(items[i]) + ' ';
    windows.push_back({key, begin, begin + size, end - begin, text});
  };
  for (const event& each : all) {
    std::vector<long>& items = of_key[each.key];
    if (items.empty()) keys.push_back(each.key);
    items.push_back(each.value);
    if (items.size() >= size && (items.size() - size) % slide == 0) make(each.key, items.size() - size);
  }
  for (const std::string& key : keys) {
    if (!partial) break;
    for (std::size_t begin = 0; begin < of_key[key].size(); begin += slide) {
      if (begin + size > of_key[key].size()) make(key, begin);
    }
  }
  return windows;
}

template <class Aggregate>
void is_as_defined(const under& how) {
  std::mt19937 random(1);
  for (int round = 0; round != 60; ++round) {
    const std::vector<event> all = random_events(random, random() % 200, 1 + random() % 5);
    const std::size_t size = 1 + random() % 12;
    const std::size_t slide = round % 4 == 0 ? size : 1 + random() % 15;
    const bool partial = random() % 2 == 0;
    std::vector<with_key> got;
    weir::run(
        weir::from(all) | keyed(&event::key, count_window(size, slide, Aggregate{}, {.partial = partial})) | keep(got),
        how.options);
    EXPECT_EQ(got, by_definition(all, size, slide, partial)) << "size " << size << ", slide " << slide;
  }
}

TEST_P(count_windows, are_as_defined_when_items_are_added_to_each) { is_as_defined<listing_by_adding>(GetParam()); }
TEST_P(count_windows, are_as_defined_when_panes_are_combined) { is_as_defined<listing_by_combining>(GetParam()); }
TEST_P(count_windows, are_as_defined_when_old_items_are_removed) { is_as_defined<listing_by_removing>(GetParam()); }

TEST_P(count_windows, without_keys_are_of_the_whole_stream) {
  const auto sum = weir::aggregate(
      0L, [](long& to, long item) { to += item; }, [](long& to, long later) { to += later; });
  std::vector<weir::window<long, std::uint64_t>> got;
  run(numbers(10) | count_window(4, 2, sum) | keep(got));
  EXPECT_EQ(got, (decltype(got){{0, 4, 4, 6}, {2, 6, 4, 14}, {4, 8, 4, 22}, {6, 10, 4, 30}}));
  got.clear();
  run(numbers(10) | count_window(4, sum, {.partial = true}) | keep(got));
  EXPECT_EQ(got, (decltype(got){{0, 4, 4, 6}, {4, 8, 4, 22}, {8, 12, 2, 17}}));
}

TEST_P(count_windows, in_a_farm_are_those_of_one_node) {
  std::mt19937 random(2);
  const std::vector<event> all = random_events(random, 5000, 40);
  std::vector<with_key> got;
  run(weir::from(all) |
      weir::farm(keyed(&event::key, count_window(10, 3, listing_by_combining{})), 3).by_key(&event::key) | keep(got));
  std::vector<with_key> expected = by_definition(all, 10, 3, false);
  const auto order = [](const with_key& w) { return std::tie(w.key, w.begin); };
  std::ranges::sort(got, {}, order);
  std::ranges::sort(expected, {}, order);
  EXPECT_EQ(got, expected);
}

TEST_P(count_windows, of_an_empty_stream_are_none) {
  std::vector<weir::window<int, std::uint64_t>> got;
  run(numbers(0) | count_window(3, weir::aggregate(0, [](int& to, long) { ++to; }), {.partial = true}) | keep(got));
  EXPECT_TRUE(got.empty());
}

TEST_P(count_windows, begin_anew_in_each_run) {
  const auto count = weir::aggregate(0, [](int& to, long) { ++to; });
  std::vector<weir::window<int, std::uint64_t>> got;
  weir::network five = weir::from({1L, 2L, 3L, 4L, 5L}) | count_window(3, count, {.partial = true}) | keep(got);
  run(five);
  run(five);
  EXPECT_EQ(got, (decltype(got){{0, 3, 3, 3}, {3, 6, 2, 2}, {0, 3, 3, 3}, {3, 6, 2, 2}}));
}

TEST_P(count_windows, what_the_aggregate_throws_names_the_node) {
  const auto picky = weir::aggregate(0L, [](long& to, long item) {
    if (item == 7) throw std::runtime_error("seven");
    to += item;
  });
  std::vector<weir::window<long, std::uint64_t>> got;
  try {
    run(numbers(100) | weir::node(count_window(3, picky)).named("threes") | keep(got));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const weir::node_error& error) {
    EXPECT_STREQ(error.what(), "/threes: seven");
  }
}

TEST_P(count_windows, take_items_that_only_move) {
  struct total {
    long identity() const { return 0; }
    void add(long& to, const std::unique_ptr<long>& item) const { to += *item; }
    void remove(long& from, const std::unique_ptr<long>& item) const { from -= *item; }
  };
  std::vector<weir::window<long, std::uint64_t>> got;
  run(numbers(5) | weir::node([](long n) { return std::make_unique<long>(n); }) | count_window(2, 1, total{}) |
      keep(got));
  EXPECT_EQ(got, (decltype(got){{0, 2, 2, 1}, {1, 3, 2, 3}, {2, 4, 2, 5}, {3, 5, 2, 7}}));
}

TEST(count_window, refuses_sizes_of_nothing) {
  const auto count = weir::aggregate(0, [](int& to, long) { ++to; });
  const auto says = [](auto make) -> std::string {
    try {
      make();
      return "nothing";
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
  };
  EXPECT_EQ(says([&] { count_window(0, 1, count); }), "count_window: a size of 0 holds nothing; use at least 1");
  EXPECT_EQ(says([&] { count_window(1, 0, count); }), "count_window: a slide of 0 would not go on; use at least 1");
}

TEST(count_window, may_be_so_far_apart_that_there_is_one) {
  std::vector<weir::window<int, std::uint64_t>> got;
  const std::size_t most = std::numeric_limits<std::size_t>::max();
  weir::run(numbers(10) | count_window(2, most, weir::aggregate(0, [](int& to, long) { ++to; })) | keep(got));
  EXPECT_EQ(got, (decltype(got){{0, 2, 2, 2}}));
}

}  // namespace
