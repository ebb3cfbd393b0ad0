// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/patterns/aggregates.hpp"

#include "weir/io/from.hpp"
#include "weir/patterns/count_window.hpp"

#include "windows.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace weir_test;

class aggregates : public each_executor {};
WEIR_UNDER_EACH_EXECUTOR(aggregates);

TEST_P(aggregates, measure_each_window) {
  std::mt19937 random(1);
  std::vector<event> all = random_events(random, 100, 1);
  for (event& each : all) each.value = static_cast<long>(random() % 1000) - 500;
  const auto values = [&](auto aggregate) {
    using value = typename weir::detail::tallying<decltype(aggregate)>::value;
    std::vector<value> got;
    run(weir::from(all) | weir::count_window(10, 5, aggregate) |
        weir::sink([&](weir::window<value, std::uint64_t> w) { got.push_back(w.value); }));
    return got;
  };
  const auto expected = [&](auto measure) {
    std::vector<decltype(measure(std::vector<long>()))> made;
    for (std::size_t begin = 0; begin + 10 <= all.size(); begin += 5) {
      std::vector<long> some;
      for (std::size_t i = begin; i != begin + 10; ++i) some.push_back(all[i].value);
      made.push_back(measure(some));
    }
    return made;
  };
  const auto sum = [](const std::vector<long>& some) {
    long total = 0;
    for (const long each : some) total += each;
    return total;
  };
  EXPECT_EQ(values(weir::count_of<event>()),
            expected([](const std::vector<long>& some) { return std::uint64_t{some.size()}; }));
  EXPECT_EQ(values(weir::sum_of(&event::value)), expected(sum));
  EXPECT_EQ(values(weir::sum_of([](const event& each) { return each.value; })), expected(sum));
  EXPECT_EQ(values(weir::mean_of(&event::value)),
            expected([&](const std::vector<long>& some) { return static_cast<double>(sum(some)) / 10; }));
  EXPECT_EQ(values(weir::least_of(&event::value)),
            expected([](const std::vector<long>& some) { return *std::ranges::min_element(some); }));
  EXPECT_EQ(values(weir::greatest_of(&event::value)),
            expected([](const std::vector<long>& some) { return *std::ranges::max_element(some); }));
}

}  // namespace
