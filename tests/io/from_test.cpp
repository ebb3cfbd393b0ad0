// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/io/from.hpp"

#include "weir/io/collect.hpp"
#include "weir/io/generator.hpp"

#include "support/networks.hpp"

#include <gtest/gtest.h>

#include <list>
#include <memory>
#include <ranges>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

class from_ranges : public weir_test::each_executor {};
WEIR_UNDER_EACH_EXECUTOR(from_ranges);
class from_generators : public weir_test::each_executor {};
WEIR_UNDER_EACH_EXECUTOR(from_generators);

using ints = std::vector<int>;

TEST_P(from_ranges, an_lvalue_is_read_where_it_is_when_the_run_starts) {
  std::list<int> in{1};
  ints out;
  weir::network net = weir::from(in) | weir::collect(out);
  in.push_back(2);
  run(net);
  in.push_back(3);
  run(net);
  EXPECT_EQ(out, (ints{1, 2, 1, 2, 3}));
}

TEST_P(from_ranges, an_rvalue_belongs_to_the_network_and_is_not_copied) {
  struct uncopied : ints {
    explicit uncopied(ints from) : ints(std::move(from)) {}
    uncopied(uncopied&&) = default;
  };
  ints out;
  const auto block = weir::from(uncopied(ints{1, 2, 3}));
  weir::network first = block | weir::collect(out);
  run(first);
  run(first);
  run(block | weir::collect(out));
  EXPECT_EQ(out, (ints{1, 2, 3, 1, 2, 3, 1, 2, 3}));
}

TEST_P(from_ranges, elements_that_can_only_be_moved_are_moved_once) {
  std::vector<std::unique_ptr<int>> in;
  for (int n = 0; n != 100; ++n) in.push_back(std::make_unique<int>(n));
  std::vector<std::unique_ptr<int>> out;
  weir::network net = weir::from(std::move(in)) | weir::collect(out);
  run(net);
  ASSERT_EQ(out.size(), 100U);
  EXPECT_EQ(*out[99], 99);
  try {
    run(net);
    FAIL();
  } catch (const weir::node_error& error) {
    EXPECT_STREQ(error.what(), "/from1: the elements were moved out in an earlier run; make another weir::from");
  }
}

TEST_P(from_ranges, views_are_lazy) {
  ints out;
  const ints in{1, 2, 3, 4};
  run(weir::from(std::views::iota(0, 3)) | weir::collect(out));
  auto even = in | std::views::filter([](int n) { return n % 2 == 0; });
  weir::network net = weir::from(even) | weir::collect(out);
  run(net);
  run(net);
  std::istringstream text("7 8");
  run(weir::from(std::views::istream<int>(text)) | weir::collect(out));
  EXPECT_EQ(out, (ints{0, 1, 2, 2, 4, 2, 4, 7, 8}));
  std::vector<bool> bits{true, false};
  std::vector<bool> same;
  run(weir::from(bits) | weir::collect(same));
  EXPECT_EQ(same, bits);
}

TEST_P(from_ranges, a_range_without_an_end_is_drained) {
  std::atomic<int> seen{0};
  weir::network net = weir::from(std::views::iota(0L)) | weir::sink([&](long) {
                        seen = 1;
                        seen.notify_one();
                      });
  weir::running handle = weir::start(net, GetParam().options);
  seen.wait(0);
  handle.drain();
  const weir::report report = handle.wait();
  EXPECT_EQ(report.nodes[0].items, report.nodes[1].items);
}

weir::generator<int> below(int end) {
  for (int n = 0; n != end; ++n) co_yield n;
}

TEST(generator, is_a_lazy_input_range) {
  bool ran = false;
  auto made = [](bool& flag) -> weir::generator<std::string> {
    flag = true;
    const std::string kept = "kept";
    co_yield kept;
    co_yield kept;
    co_yield "temporary";
  }(ran);
  static_assert(std::ranges::input_range<weir::generator<std::string>>);
  EXPECT_FALSE(ran);
  std::vector<std::string> out;
  for (std::string&& item : made) out.push_back(std::move(item));
  EXPECT_EQ(out, (std::vector<std::string>{"kept", "kept", "temporary"}));
}

TEST(generator, may_be_left_in_the_middle) {
  auto watched = std::make_shared<int>(0);
  {
    auto made = [](std::shared_ptr<int> held) -> weir::generator<int> {
      for (;;) co_yield ++*held;
    }(watched);
    EXPECT_EQ(*made.begin(), 1);
  }
  EXPECT_EQ(watched.use_count(), 1);
}

TEST_P(from_generators, a_function_runs_in_each_run) {
  ints out;
  weir::network net = weir::from([] { return below(3); }) | weir::collect(out);
  run(net);
  run(net);
  EXPECT_EQ(out, (ints{0, 1, 2, 0, 1, 2}));
}

TEST_P(from_generators, a_generator_runs_once) {
  ints out;
  weir::network net = weir::from(below(3)) | weir::collect(out);
  run(net);
  EXPECT_EQ(out, (ints{0, 1, 2}));
  try {
    run(net);
    FAIL();
  } catch (const weir::node_error& error) {
    EXPECT_STREQ(error.what(), "/from1: this generator has run; give weir::from the function that makes it");
  }
}

TEST_P(from_generators, exceptions_pass_through) {
  ints out;
  auto failing = []() -> weir::generator<int> {
    co_yield 1;
    throw std::runtime_error("no more of this");
  };
  try {
    run(weir::from(failing) | weir::collect(out));
    FAIL();
  } catch (const weir::node_error& error) {
    EXPECT_STREQ(error.what(), "/from1: no more of this");
  }
}

TEST_P(from_generators, one_without_an_end_is_drained_and_starts_again) {
  std::atomic<long> last{-1};
  auto counting = []() -> weir::generator<long> {
    for (long n = 0;; ++n) co_yield n;
  };
  weir::network net = weir::from(counting) | weir::sink([&](long n) {
                        last = n;
                        last.notify_one();
                      });
  for (int times = 0; times != 2; ++times) {
    last = -1;
    weir::running handle = weir::start(net, GetParam().options);
    last.wait(-1);
    handle.drain();
    const weir::report report = handle.wait();
    EXPECT_EQ(last + 1, static_cast<long>(report.nodes[1].items));
  }
}

}  // namespace
