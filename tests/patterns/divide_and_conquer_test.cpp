// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/patterns/divide_and_conquer.hpp"

#include "weir/patterns/parallel_for.hpp"

#include "cancelled.hpp"
#include "networks.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace weir_test;
using weir::divide_and_conquer;

long fibonacci(long n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

long parallel_fibonacci(long n, long cut_off, const weir::parallel_options& options = {}) {
  return divide_and_conquer(
      n, [=](long m) { return m < cut_off; }, [](long m) { return fibonacci(m); },
      [](long m) {
        return std::array{m - 1, m - 2};
      },
      [](std::array<long, 2> two) { return two[0] + two[1]; }, options);
}

class divide : public each_executor {};
WEIR_UNDER_EACH_EXECUTOR(divide);

TEST(divide_and_conquer, gives_what_recursion_gives) {
  for (const std::size_t workers : {0U, 1U, 2U}) {
    for (const long n : {0L, 1L, 2L, 20L}) EXPECT_EQ(parallel_fibonacci(n, 2, {.workers = workers}), fibonacci(n));
  }
  EXPECT_EQ(parallel_fibonacci(20, 100), fibonacci(20));
}

// All placements of n queens. A board has as many parts as there are free columns, perhaps none.
struct board {
  int rows = 0;
  std::vector<int> columns;
};

TEST(divide_and_conquer, takes_any_number_of_parts) {
  const long solutions = divide_and_conquer(
      board{8, {}}, [](const board& b) { return static_cast<int>(b.columns.size()) == b.rows; },
      [](const board&) { return 1L; },
      [](const board& b) {
        std::vector<board> next;
        for (int column = 0; column != b.rows; ++column) {
          const int row = static_cast<int>(b.columns.size());
          const auto attacks = [&](int other) {
            const int theirs = b.columns[static_cast<std::size_t>(other)];
            return theirs == column || std::abs(theirs - column) == row - other;
          };
          std::vector<int> rows(b.columns.size());
          std::iota(rows.begin(), rows.end(), 0);
          if (std::any_of(rows.begin(), rows.end(), attacks)) continue;
          next.push_back(b);
          next.back().columns.push_back(column);
        }
        return next;
      },
      [](const std::vector<long>& parts) { return std::accumulate(parts.begin(), parts.end(), 0L); });
  EXPECT_EQ(solutions, 92);
}

struct range {
  int* first;
  int* last;
};

TEST(divide_and_conquer, works_in_place_without_results) {
  std::vector<int> numbers(100'000);
  std::iota(numbers.begin(), numbers.end(), 0);
  std::shuffle(numbers.begin(), numbers.end(), std::mt19937(1));
  divide_and_conquer(
      range{numbers.data(), numbers.data() + numbers.size()}, [](const range& r) { return r.last - r.first < 1000; },
      [](const range& r) { std::sort(r.first, r.last); },
      [](const range& r) {
        int* const middle = r.first + (r.last - r.first) / 2;
        return std::array{range{r.first, middle}, range{middle, r.last}};
      },
      [](const range& r) { std::inplace_merge(r.first, r.first + (r.last - r.first) / 2, r.last); });
  EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
}

TEST(divide_and_conquer, keeps_the_order_of_the_parts) {
  struct span {
    int first;
    int last;
  };
  const std::string all = divide_and_conquer(
      span{0, 1000}, [](const span& s) { return s.last - s.first == 1; },
      [](const span& s) { return std::to_string(s.first); },
      [](const span& s) {
        std::vector<span> parts;
        for (int i = 0, width = s.last - s.first; i != std::min(3, width); ++i) {
          parts.push_back({s.first + width * i / std::min(3, width), s.first + width * (i + 1) / std::min(3, width)});
        }
        return parts;
      },
      [](const span& s, std::vector<std::string> parts) {
        EXPECT_EQ(parts.front().substr(0, std::to_string(s.first).size()), std::to_string(s.first));
        return std::accumulate(parts.begin(), parts.end(), std::string());
      });
  std::string expected;
  for (int i = 0; i != 1000; ++i) expected += std::to_string(i);
  EXPECT_EQ(all, expected);
}

// A tree as deep as a list, on which any recursion would overflow the stack.
TEST(divide_and_conquer, takes_no_stack_for_depth) {
  const auto depth = [](long limit) {
    return divide_and_conquer(
        0L, [](long at) { return at == 1'000'000; }, [](long) { return 0L; },
        [=](long at) {
          if (at == limit) throw std::runtime_error("deep down");
          return std::array{at + 1};
        },
        [](std::array<long, 1> below) { return below[0] + 1; });
  };
  EXPECT_EQ(depth(-1), 1'000'000);
  EXPECT_THROW(depth(500'000), std::runtime_error);
}

TEST(divide_and_conquer, takes_problems_that_only_move) {
  const auto sum = divide_and_conquer(
      std::make_unique<long>(100), [](const std::unique_ptr<long>& n) { return *n <= 1; },
      [](std::unique_ptr<long>& n) { return std::move(n); },
      [](std::unique_ptr<long>& n) {
        std::vector<std::unique_ptr<long>> halves;
        halves.push_back(std::make_unique<long>(*n / 2));
        halves.push_back(std::make_unique<long>(*n - *n / 2));
        return halves;
      },
      [](std::vector<std::unique_ptr<long>> parts) { return std::make_unique<long>(*parts[0] + *parts[1]); });
  EXPECT_EQ(*sum, 100);
}

TEST(divide_and_conquer, what_is_thrown_comes_out) {
  const auto with = [](auto solve, auto combine) {
    return divide_and_conquer(
        18L, [](long n) { return n < 4; }, solve,
        [](long n) {
          return std::array{n - 1, n - 2};
        },
        combine);
  };
  const auto add = [](std::array<long, 2> two) { return two[0] + two[1]; };
  std::atomic<int> calls{0};
  EXPECT_THROW(with(
                   [&](long n) {
                     if (++calls == 50) throw std::out_of_range("solve");
                     return n;
                   },
                   add),
               std::out_of_range);
  EXPECT_THROW(with([](long n) { return n; }, [](std::array<long, 2>) -> long { throw std::runtime_error("combine"); }),
               std::runtime_error);
}

TEST(divide_and_conquer, a_stop_request_ends_it) {
  std::stop_source stop;
  std::atomic<long> calls{0};
  EXPECT_THROW(divide_and_conquer(
                   60L, [](long n) { return n < 2; },
                   [&](long n) {
                     if (++calls == 1000) stop.request_stop();
                     return n;
                   },
                   [](long n) {
                     return std::array{n - 1, n - 2};
                   },
                   [](std::array<long, 2> two) { return two[0] + two[1]; }, {.stop = stop.get_token()}),
               weir::stopped);
}

TEST(divide_and_conquer, contains_loops_and_itself) {
  const long sum = divide_and_conquer(
      6L, [](long n) { return n < 3; },
      [](long n) {
        std::atomic<long> counted{0};
        weir::parallel_for(0L, n, [&](long) { ++counted; });
        return counted + parallel_fibonacci(10, 5);
      },
      [](long n) {
        return std::array{n - 1, n - 2};
      },
      [](std::array<long, 2> two) { return two[0] + two[1]; });
  EXPECT_EQ(sum, 5 * (2 + 55) + 3 * (1 + 55));
}

TEST_P(divide, works_within_a_node_and_ends_with_its_run) {
  long sum = 0;
  run(numbers(100) | weir::farm([](long item) { return parallel_fibonacci(10 + item % 3, 4); }, 3) |
      weir::sink([&](long item) { sum += item; }));
  EXPECT_EQ(sum, 34 * 55 + 33 * 89 + 33 * 144);

  EXPECT_TRUE(is_stopped_when_cancelled(GetParam().options, [](std::atomic<bool>& inside) {
    divide_and_conquer(
        90L, [](long n) { return n < 2; },
        [&](long n) {
          inside = true;
          return n;
        },
        [](long n) {
          return std::array{n - 1, n - 2};
        },
        [](std::array<long, 2> two) { return two[0] + two[1]; });
  }));
}

}  // namespace
