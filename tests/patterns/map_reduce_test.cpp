// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/patterns/map_reduce.hpp"

#include "weir/io/from.hpp"
#include "weir/patterns/map.hpp"

#include "windows.hpp"

#include <array>
#include <atomic>
#include <cmath>
#include <map>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace weir_test;
using weir::map_reduce;
using counted = std::pair<std::string, long>;

class reductions : public each_executor {};
WEIR_UNDER_EACH_EXECUTOR(reductions);

void words_of(const std::string& line, weir::pair_outlet<std::string, long>& pairs) {
  std::istringstream words(line);
  for (std::string word; words >> word;) pairs.send(std::move(word), 1);
}
constexpr auto add = [](long& total, long value) { total += value; };

std::vector<std::string> random_lines(std::mt19937& random, std::size_t count) {
  std::vector<std::string> lines(count);
  for (std::string& line : lines) {
    for (std::size_t words = random() % 12; words-- != 0;) {
      line += "word" + std::to_string(std::min(random() % 300, random() % 300)) + ' ';
    }
  }
  return lines;
}

TEST_P(reductions, count_words_as_a_map_does) {
  std::mt19937 random(1);
  for (const std::size_t held : {1U, 2U, 10U, 100'000U}) {
    for (const auto& [mappers, reducers] : {std::pair{1U, 1U}, {3U, 2U}, {2U, 4U}}) {
      const std::vector<std::string> lines = random_lines(random, 300);
      std::map<std::string, long> expected;
      for (const std::string& line : lines) {
        std::istringstream words(line);
        for (std::string word; words >> word;) ++expected[word];
      }
      std::vector<counted> got;
      run(weir::from(lines) | map_reduce(&words_of, add, mappers, reducers, {.max_keys_held = held}) | keep(got));
      EXPECT_EQ(got.size(), expected.size()) << "a key came out twice";
      EXPECT_EQ((std::map<std::string, long>(got.begin(), got.end())), expected);
    }
  }
}

TEST_P(reductions, combine_before_they_send) {
  std::vector<std::pair<long, long>> got;
  const auto by_rest = [](long n, weir::pair_outlet<long, long>& pairs) { pairs.send(n % 3, n); };
  const weir::report report = run(numbers(9000) | map_reduce(by_rest, add, 2, 2) | keep(got));
  std::map<long, long> sums(got.begin(), got.end());
  EXPECT_EQ(sums, (std::map<long, long>{{0, 13495500}, {1, 13498500}, {2, 13501500}}));
  std::uint64_t partials = 0;
  for (const auto& each : report.nodes) {
    if (each.path.starts_with("/map")) partials += each.sent;
  }
  EXPECT_LE(partials, 6U);
}

TEST_P(reductions, begin_anew_in_each_run) {
  std::vector<counted> got;
  weir::network net = weir::from({std::string("a b a"), std::string("a")}) | map_reduce(&words_of, add) | keep(got);
  run(net);
  run(net);
  std::ranges::sort(got);
  EXPECT_EQ(got, (std::vector<counted>{{"a", 3}, {"a", 3}, {"b", 1}, {"b", 1}}));
  got.clear();
  run(weir::from(std::vector<std::string>{}) | map_reduce(&words_of, add, 2, 2) | keep(got));
  EXPECT_TRUE(got.empty());
}

TEST_P(reductions, what_is_thrown_names_the_node) {
  const auto throws = [&](auto map, auto combine) -> std::string {
    std::vector<std::pair<long, long>> got;
    try {
      run(numbers(1000) | map_reduce(map, combine, 1, 1, {.max_keys_held = 2}).named("sums") | keep(got));
      return "nothing";
    } catch (const weir::node_error& error) {
      return error.what();
    }
  };
  const auto send = [](long n, weir::pair_outlet<long, long>& pairs) { pairs.send(n % 2, n); };
  EXPECT_EQ(throws([](long, weir::pair_outlet<long, long>&) { throw std::runtime_error("no"); }, add),
            "/sums/map[0]: no");
  EXPECT_EQ(throws(send, [](long&, long) { throw std::runtime_error("no sum"); }), "/sums/reduce[0]: no sum");
}

TEST(map_reduce, refuses_what_holds_nothing) {
  EXPECT_THROW(static_cast<void>(map_reduce(&words_of, add, {.max_keys_held = 0})), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(map_reduce(&words_of, add, 0, 1)), weir::graph_error);
}

TEST_P(reductions, map_makes_a_vector_of_what_its_function_returns) {
  std::vector<std::vector<long>> ranges{{}, {7}, std::vector<long>(10'000, 3)};
  std::vector<std::vector<std::string>> got;
  run(weir::from(ranges) | weir::map([](long n) { return std::to_string(n); }) | keep(got));
  ASSERT_EQ(got.size(), 3U);
  EXPECT_TRUE(got[0].empty());
  EXPECT_EQ(got[1], std::vector<std::string>{"7"});
  EXPECT_EQ(got[2], std::vector<std::string>(10'000, "3"));
}

TEST_P(reductions, map_changes_in_place_what_its_function_takes_by_reference) {
  std::vector<std::array<double, 3>> got;
  run(weir::from({std::array{1.0, 4.0, 9.0}}) |
      weir::farm(weir::map<std::array<double, 3>>([](double& x) { x = std::sqrt(x); }), 2) | keep(got));
  EXPECT_EQ(got, (std::vector{std::array{1.0, 2.0, 3.0}}));
  std::vector<std::vector<int>> doubled;
  run(weir::from({std::vector{1, 2}, std::vector{3}}) | weir::map([](int& n) { n *= 2; }, {.workers = 1}) |
      keep(doubled));
  EXPECT_EQ(doubled, (std::vector<std::vector<int>>{{2, 4}, {6}}));
}

TEST_P(reductions, what_a_mapped_function_throws_names_the_node) {
  std::vector<std::vector<int>> got;
  try {
    run(weir::from({std::vector<int>(1000, 1)}) |
        weir::map([](int n) { return n == 1 ? throw std::runtime_error("one") : n; }).named("each") | keep(got));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const weir::node_error& error) {
    EXPECT_STREQ(error.what(), "/each: one");
  }
}

}  // namespace
