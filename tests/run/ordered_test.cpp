// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// An ordered block sends the results of its items in the order in which the items came in.

#include "counted.hpp"
#include "nestings.hpp"
#include "networks.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <latch>
#include <random>
#include <stdexcept>
#include <thread>

namespace {

using namespace weir_test;
class ordered : public each_executor {};
WEIR_UNDER_EACH_EXECUTOR(ordered);

using flow = weir::block<long, long>;

// An output item is its input times `spread`, plus its position among the items made of that input.
constexpr long spread = 1'000'000;

// Takes very different times, so that later items overtake earlier ones unless the block holds them
// back.
void loiter(long item) {
  volatile long sum = 0;
  for (long i = 0; i != (item * 7919) % 23 * 40; ++i) sum = sum + i;
}

flow uneven() {
  return weir::node([](long item) {
    loiter(item);
    return item;
  });
}
flow some() {
  return weir::node([](long item) -> std::optional<long> {
    loiter(item);
    if (item % 3 == 0) return std::nullopt;
    return item;
  });
}
// Sends none to four items for each.
flow several() {
  return weir::node([](long item, weir::outlet<long>& out) {
    loiter(item);
    for (long i = 0; i != item % 5; ++i) out.send(item * 8 + i);
  });
}

std::vector<std::pair<std::string, flow>> workers() {
  using weir::farm;
  const auto key = [](const long& item) { return item % 11; };
  return {
      {"map", uneven()},
      {"filter", some()},
      {"flat map", several()},
      {"flat map of flat maps", several() | several()},
      {"filter of flat map", several() | some()},
      {"flat map of filter", some() | several()},
      {"pipeline", uneven() | some() | uneven()},
      {"farm", farm(uneven(), 3)},
      {"farm of flat maps", farm(several(), 3)},
      {"farm behind a flat map", several() | farm(several(), 3)},
      {"farm before a flat map", farm(several(), 3) | several()},
      {"farms in a row", farm(several(), 2) | farm(some(), 3) | uneven()},
      {"farm of farms", farm(farm(several(), 2) | farm(several(), 2), 2)},
      {"farm on demand", farm(several(), 3).on_demand()},
      {"farm by key", several() | farm(several(), 3).by_key(key)},
      {"set", weir::set(uneven(), uneven() | uneven(), farm(uneven(), 2))},
      {"ordered farm", several() | farm(several(), 3).ordered()},
      {"fused",
       weir::fuse([](long item) -> std::optional<long> { return item % 2 == 0 ? std::optional(item) : std::nullopt; },
                  [](long item, weir::outlet<long>& out) {
                    out.send(item);
                    out.send(item);
                  })},
  };
}

std::vector<long> of_one(const flow& worker, long count) {
  std::vector<long> made;
  weir::run(numbers(count) | weir::farm(worker, 1).ordered() | into(made), {.workers = 1});
  return made;
}

TEST_P(ordered, whatever_the_worker_is) {
  constexpr long count = 500;
  for (const auto& [name, worker] : workers()) {
    SCOPED_TRACE(name);
    const std::vector<long> expected = of_one(worker, count);
    const auto both = [&](const flow& block) {
      std::vector<long> made;
      run(numbers(count) | block | into(made));
      EXPECT_EQ(made, expected);
    };
    both(weir::farm(worker, 4).ordered());
    both(weir::farm(worker, 3).on_demand().ordered());
    both(weir::farm(worker, 3).ordered().round_robin());
    both(weir::farm(worker, 4).by_key([](const long& item) { return item % 5; }).ordered());
    both(weir::farm(worker, 2).ordered().capacity(2));
  }
}

TEST_P(ordered, one_worker_is_the_plain_order) {
  // Checks the result with which the tests above compare.
  std::vector<long> expected;
  for (long item = 0; item != 1000; ++item) {
    for (long i = 0; i != item % 5; ++i) expected.push_back(item * 8 + i);
  }
  EXPECT_EQ(of_one(several(), 1000), expected);
}

TEST_P(ordered, pipelines_of_farms_as_a_whole) {
  const flow whole = weir::farm(several(), 3) | weir::farm(some(), 2) | weir::set(uneven(), uneven());
  const std::vector<long> expected = of_one(several() | some() | uneven(), 2000);
  std::vector<long> made;
  run(numbers(2000) | whole.ordered() | into(made));
  EXPECT_EQ(made, expected);
}

TEST_P(ordered, again_and_again) {
  std::vector<long> made;
  weir::network net = weir::source([next = 0L]() mutable -> std::optional<long> {
                        if (next == 500) {
                          next = 0;
                          return std::nullopt;
                        }
                        return next++;
                      }) |
                      weir::farm(uneven(), 3).ordered() | into(made);
  for (int times = 1; times != 5; ++times) {
    run(net);
    ASSERT_EQ(made.size(), static_cast<std::size_t>(times * 500));
  }
  for (std::size_t i = 0; i != made.size(); ++i) ASSERT_EQ(made[i], static_cast<long>(i % 500));
}

TEST_P(ordered, what_start_and_finish_send_may_stand_anywhere) {
  struct worker {
    void start(weir::outlet<long>& out) { out.send(-1); }
    void process(long item, weir::outlet<long>& out) { out.send(item); }
    void finish(weir::outlet<long>& out) { out.send(-2); }
  };
  for (const auto& block : {weir::farm(worker{}, 4).ordered(),
                            weir::farm(weir::node(worker{}) | weir::farm(worker{}, 2) | worker{}, 2).ordered()}) {
    std::vector<long> made;
    run(numbers(2000) | block | into(made));
    EXPECT_GE(std::count(made.begin(), made.end(), -1), 4);
    EXPECT_EQ(std::count(made.begin(), made.end(), -1), std::count(made.begin(), made.end(), -2));
    std::erase_if(made, [](long item) { return item < 0; });
    ASSERT_EQ(made.size(), 2000U);
    EXPECT_TRUE(std::is_sorted(made.begin(), made.end()));
  }
}

// The first item waits until nothing moves any more. By then the channels alone must have stopped
// the other items.
TEST_P(ordered, a_dear_item_bounds_what_lives) {
  census::reset();
  constexpr std::size_t count = 20'000;
  std::atomic<std::size_t> made{0};
  std::vector<long> seen;
  seen.reserve(count);
  const auto source = weir::source([&]() -> std::optional<counted> {
    const std::size_t next = made.fetch_add(1);
    if (next >= count) return std::nullopt;
    return counted(static_cast<long>(next));
  });
  const auto worker = [&](counted item) {
    if (item.value() == 0) {
      std::size_t before = 0;
      for (int still = 0; still != 20; ++still) {  // waits until nothing was made for a while
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (made.load() != before) still = 0;
        before = made.load();
      }
    }
    return item;
  };
  run(source | weir::farm(worker, 4).ordered().capacity(64) | weir::node([&](counted item) {
                                                                seen.push_back(item.value());
                                                                return std::optional<counted>();
                                                              }).capacity(64) |
      weir::sink([](counted) {}));
  ASSERT_EQ(seen.size(), count);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(census::alive.load(), 0);
  // Ten channels of 64 (before and behind the farm, and to and from each worker), and the items
  // that the nodes have in hand.
  EXPECT_LT(census::peak.load(), 1000);
}

TEST_P(ordered, far_more_results_than_a_channel_holds) {
  std::vector<long> made;
  run(numbers(8) |
      weir::farm(
          [](long item, weir::outlet<long>& out) {
            for (long i = 0; i != 20'000; ++i) out.send(item * spread + i);
          },
          4)
          .ordered() |
      into(made));
  ASSERT_EQ(made.size(), 8 * 20'000U);
  EXPECT_TRUE(std::is_sorted(made.begin(), made.end()));
}

TEST_P(ordered, an_exception_inside_ends_the_run) {
  std::vector<long> made;
  EXPECT_THROW(run(numbers(100'000) |
                   weir::farm(
                       [](long item) {
                         if (item == 5000) throw std::runtime_error("no more");
                         return item;
                       },
                       3)
                       .ordered()
                       .named("work") |
                   into(made)),
               weir::node_error);
  EXPECT_TRUE(std::is_sorted(made.begin(), made.end()));
}

TEST_P(ordered, a_worker_that_ends_early_ends_the_farm) {
  std::vector<long> made;
  run(numbers(20'000) |
      weir::farm(
          [](long item) {
            if (item == 700) throw weir::stopped{};
            return item;
          },
          3)
          .ordered() |
      into(made));
  EXPECT_TRUE(std::is_sorted(made.begin(), made.end()));
  EXPECT_TRUE(std::find(made.begin(), made.end(), 700) == made.end());
  EXPECT_GE(made.size(), 700U);
}

// One worker never gets an item, so the collector never hears from it.
TEST_P(ordered, a_worker_that_ends_early_beside_one_that_is_idle) {
  std::vector<long> made;
  run(numbers(1'000'000) |
      weir::farm(
          [](long item) {
            if (item == 0) throw weir::stopped{};
            return item;
          },
          3)
          .distribute([](const long& item, std::size_t) -> std::size_t { return item == 0 ? 0 : 1; })
          .ordered() |
      into(made));
  EXPECT_TRUE(std::is_sorted(made.begin(), made.end()));
  EXPECT_TRUE(made.empty() || made.front() > 0);
}

TEST_P(ordered, items_not_consumed_are_destroyed_once) {
  census::reset();
  {
    long next = 0;
    run(weir::source([&]() -> std::optional<counted> { return counted(next++); }) |
        weir::farm(
            [](counted item) -> std::optional<counted> {
              if (item.value() % 2 == 0) return std::nullopt;
              return item;
            },
            3)
            .ordered() |
        weir::sink([](counted item) {
          if (item.value() > 5000) throw weir::stopped{};
        }));
  }
  EXPECT_EQ(census::alive.load(), 0);
}

std::string error_of(const flow& block) {
  std::vector<long> made;
  try {
    weir::run(numbers(1) | block.named("work") | into(made));
  } catch (const weir::graph_error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(ordered_errors, broadcast) {
  EXPECT_EQ(error_of(weir::farm(uneven(), 2).broadcast().ordered()),
            "/work: is ordered and broadcasts, but copies of an item have no order; drop one of them");
}

TEST(ordered_errors, one_to_one) {
  EXPECT_EQ(error_of(weir::farm(uneven(), 2).one_to_one().ordered()),
            "/work: is one_to_one and ordered, but an ordered block has one way in; drop one of them");
}

}  // namespace
