// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 2 6 10.*4 6 4.*10 to 20 s: 6.*20 to 30 s: 4.*30 to 40 s: 9.*1 late.*a 2 from 25.*b 3.*1 4 9

// The windows of docs/patterns.md, and the aggregates described after them.
#include <weir/io/from.hpp>
#include <weir/patterns/aggregate.hpp>
#include <weir/patterns/aggregates.hpp>
#include <weir/patterns/count_window.hpp>
#include <weir/patterns/map.hpp>
#include <weir/patterns/map_reduce.hpp>
#include <weir/patterns/session_window.hpp>
#include <weir/patterns/time_window.hpp>
#include <weir/weir.hpp>

#include <chrono>
#include <cstdint>
#include <iostream>
#include <set>
#include <string>
#include <vector>

using namespace std::chrono_literals;

struct trade {
  std::string share;
  double price = 0;
  std::chrono::seconds at{};
};

// The median of the items. It can't be computed from two other medians, but the oldest item can be
// removed from it.
struct median {
  std::multiset<double> identity() const { return {}; }
  void add(std::multiset<double>& to, const trade& item) const { to.insert(item.price); }
  void remove(std::multiset<double>& from, const trade& item) const { from.erase(from.find(item.price)); }
  double result(const std::multiset<double>& all) const {
    return *std::next(all.begin(), static_cast<long>(all.size() / 2));
  }
};

int main() {
  const auto trades = weir::from(
      std::vector<trade>{{"a", 2, 10s}, {"b", 6, 12s}, {"a", 4, 25s}, {"b", 3, 21s}, {"a", 9, 31s}, {"b", 8, 14s}});
  {
    // The sum of the last two items, after each item.
    auto pairs = weir::count_window(2, 1, weir::sum_of([](int n) { return n; }));
    weir::run(weir::from({1, 1, 5, 5}) | pairs |
              weir::sink([](weir::window<int, std::uint64_t> w) { std::cout << w.value << ' '; }));
    std::cout << '\n';
  }
  {
    auto means = weir::keyed(&trade::share, weir::count_window(2, 1, weir::mean_of(&trade::price)));
    weir::run(trades | weir::farm(means, 2).by_key(&trade::share) |
              weir::sink([](const weir::keyed_window<std::string, double, std::uint64_t>& w) {
                std::cout << w.key << ' ' << w.value << '\n';
              }));
  }
  {
    auto spread = weir::aggregate(
        std::pair(1e9, 0.0),
        [](std::pair<double, double>& to, const trade& t) {
          to = {std::min(to.first, t.price), std::max(to.second, t.price)};
        },
        [](std::pair<double, double>& to, const std::pair<double, double>& later) {
          to = {std::min(to.first, later.first), std::max(to.second, later.second)};
        },
        [](const std::pair<double, double>& all) { return all.second - all.first; });
    weir::run(trades | weir::count_window(3, spread) |
              weir::sink([](weir::window<double, std::uint64_t> w) { std::cout << w.value << ' '; }));
    weir::run(trades | weir::count_window(3, 2, median{}) |
              weir::sink([](weir::window<double, std::uint64_t> w) { std::cout << w.value << '\n'; }));
  }
  {
    weir::item_counter late;
    auto highest =
        weir::time_window(&trade::at, 10s, weir::greatest_of(&trade::price), {.lateness = 5s, .late_items = late});
    weir::run(trades | highest | weir::sink([](weir::window<double, std::chrono::seconds> w) {
                std::cout << w.begin.count() << " to " << w.end.count() << " s: " << w.value << '\n';
              }));
    std::cout << late.count() << " late\n";
  }
  {
    auto bursts = weir::keyed(&trade::share, weir::session_window(&trade::at, 10s, weir::count_of<trade>()));
    weir::run(trades | bursts |
              weir::sink([](const weir::keyed_window<std::string, std::uint64_t, std::chrono::seconds>& w) {
                std::cout << w.key << " " << w.value << " from " << w.begin.count() << '\n';
              }));
  }
  {
    auto count = weir::map_reduce(
        [](const std::string& line, weir::pair_outlet<char, int>& pairs) {
          for (const char c : line) pairs.send(c, 1);
        },
        [](int& total, int more) { total += more; });
    weir::run(
        weir::from({std::string("abba"), std::string("cab")}) | count |
        weir::sink([](std::pair<char, int> letter) { std::cout << letter.first << ' ' << letter.second << '\n'; }));
  }
  {
    auto squares = weir::map([](int& n) { n *= n; });
    weir::run(weir::from({std::vector{1, 2, 3}}) | squares | weir::sink([](const std::vector<int>& all) {
                for (const int each : all) std::cout << each << ' ';
              }));
    std::cout << '\n';
  }
}
