// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Blocks that hold a limited number of items.

#include "networks.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace {

using namespace weir_test;
using namespace std::chrono_literals;

class in_flight : public each_executor {};
WEIR_UNDER_EACH_EXECUTOR(in_flight);

// Counts the items that have entered a block and have not left it; each item must leave.
class census {
 public:
  auto enter() {
    return weir::node([this](long n) {
      const long now = ++inside_;
      for (long most = most_; most < now && !most_.compare_exchange_weak(most, now);) continue;
      return n;
    });
  }
  auto leave() {
    return weir::node([this](long n) {
      --inside_;
      return n;
    });
  }
  void drop() { --inside_; }
  void begin_anew() { inside_ = 0; }
  long most() const { return most_; }

 private:
  std::atomic<long> inside_{0};
  std::atomic<long> most_{0};
};

auto slow_worker() {
  return weir::node([](long n) {
    if (n % 16 == 0) std::this_thread::sleep_for(50us);
    return n;
  });
}

TEST_P(in_flight, bounds_a_farm) {
  for (const std::size_t limit : {1, 2, 3, 7, 100}) {
    census inside;
    std::vector<long> seen;
    run(numbers(500) | weir::farm(inside.enter() | slow_worker() | inside.leave(), 4).in_flight(limit) | into(seen));
    EXPECT_EQ(seen, first_numbers(500)) << limit;
    EXPECT_GE(inside.most(), 1);
    EXPECT_LE(inside.most(), static_cast<long>(limit));
  }
}

TEST_P(in_flight, bounds_a_pipeline_with_a_farm_of_farms_in_it) {
  census inside;
  std::vector<long> seen;
  run(numbers(3000) |
      (inside.enter() | weir::farm(weir::farm(slow_worker(), 2), 2).named("work") | inside.leave())
          .named("all")
          .in_flight(5) |
      into(seen));
  EXPECT_EQ(seen, first_numbers(3000));
  EXPECT_LE(inside.most(), 5);
}

TEST_P(in_flight, bounds_one_node_and_itself_again) {
  census outer;
  census inner;
  std::vector<long> seen;
  run(numbers(800) | (outer.enter() | (inner.enter() | inner.leave()).in_flight(1) | outer.leave()).in_flight(4) |
      weir::node([](long n) { return n; }).in_flight(2) | into(seen));
  EXPECT_EQ(seen, first_numbers(800));
  EXPECT_LE(inner.most(), 1);
  EXPECT_LE(outer.most(), 4);
}

// Items that yield no result, and items that yield many, are counted, too.
TEST_P(in_flight, counts_what_comes_out_in_any_number) {
  census inside;
  const auto some = weir::node([&inside](long n, weir::outlet<long>& out) {
    for (long i = 0; i != n % 4; ++i) out.send(n);
    inside.drop();
  });
  std::vector<long> seen;
  run(numbers(1000) | (inside.enter() | weir::farm(some, 3)).in_flight(3) | into(seen));
  EXPECT_EQ(seen.size(), 1500U);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_LE(inside.most(), 3);
}

// An item that a node keeps for later counts as done; an item that `finish` sends belongs to no
// input.
TEST_P(in_flight, does_not_wait_for_what_a_node_keeps) {
  struct in_tens {
    std::vector<long> kept{};
    void process(long n, weir::outlet<long>& out) {
      kept.push_back(n);
      if (kept.size() == 10) send(out);
    }
    void finish(weir::outlet<long>& out) { send(out); }
    void send(weir::outlet<long>& out) {
      for (const long n : kept) out.send(n);
      kept.clear();
    }
  };
  std::vector<long> seen;
  run(numbers(1005) | weir::node(in_tens{}).in_flight(2) | into(seen));
  EXPECT_EQ(seen, first_numbers(1005));
}

// As in every ordered block, no more items enter, and the items inside leave.
TEST_P(in_flight, ends_with_a_worker) {
  for (const std::size_t limit : {1, 2, 5}) {
    std::atomic<long> calls{0};
    long seen = 0;
    const auto worker = [&calls](long n) {
      if (++calls == 100) throw weir::stopped{};
      return n;
    };
    run(numbers(1'000'000'000) | (weir::node([](long n) { return n; }) | weir::farm(worker, 3)).in_flight(limit) |
        weir::sink([&](long) { ++seen; }));
    EXPECT_GE(seen, 100 - static_cast<long>(limit)) << limit;
    EXPECT_LE(seen, 99 + static_cast<long>(limit)) << limit;
  }
}

TEST_P(in_flight, begins_each_run_anew) {
  census inside;
  std::vector<long> seen;
  bool ends_early = false;
  weir::network net =
      weir::source(counts{200}) | weir::farm(inside.enter() | inside.leave(), 2).in_flight(3) | weir::sink([&](long n) {
        if (ends_early && n == 20) throw weir::stopped{};
        seen.push_back(n);
      });
  for (int i = 0; i != 20; ++i) {
    ends_early = i % 3 == 1;
    seen.clear();
    inside.begin_anew();  // some items of an earlier run have not left
    run(net);
    ASSERT_EQ(seen, first_numbers(ends_early ? 20 : 200)) << i;
  }
  EXPECT_LE(inside.most(), 3);
}

TEST_P(in_flight, ends_with_its_consumers) {
  long left = 100;
  run(numbers(1'000'000'000) | weir::farm([](long n) { return n; }, 2).in_flight(4) | weir::sink([&](long) {
        if (--left == 0) throw weir::stopped{};
      }));
  EXPECT_EQ(left, 0);
}

// Nothing leaves the block any more, because the item of the other stream must come first.
TEST_P(in_flight, is_part_of_the_cycle_in_which_nodes_wait) {
  try {
    run(numbers(1'000'000) |
        weir::tee(weir::node([](long n) { return n; }).named("limited").in_flight(3),
                  weir::node([](long) { return std::optional<long>(); })) |
        weir::zip<long, long>() | weir::sink([](std::tuple<long, long>) {}));
    FAIL() << "it ended";
  } catch (const weir::node_error& problem) {
    EXPECT_NE(std::string(problem.what()).find("no node can go on"), std::string::npos) << problem.what();
  }
}

TEST(in_flight_limit, of_nothing_is_an_error) {
  EXPECT_THROW((void)weir::farm([](long n) { return n; }, 2).in_flight(0), weir::graph_error);
}

// The block's internal nodes have names that no child can have.
TEST(in_flight_limit, keeps_paths_unique) {
  std::vector<long> seen;
  const auto same = weir::node([](long n) { return n; });
  weir::run(numbers(10) | (same.named("number") | same.named("order")).named("both").in_flight(2) | into(seen));
  EXPECT_EQ(seen, first_numbers(10));
}

}  // namespace
