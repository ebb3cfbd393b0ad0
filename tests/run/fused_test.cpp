// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Properties of nodes that run as one. The suites of this folder test the properties of all nodes
// for fused nodes as well, for their executors include one that fuses.

#include "counted.hpp"
#include "networks.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

using namespace weir_test;

weir::run_options fused() { return {.workers = 2, .fuse = true}; }

auto add(long step) {
  return weir::node([step](long item) { return item + step; });
}

TEST(fused, counts_each_node_for_itself) {
  std::vector<long> seen;
  const weir::report report =
      weir::run(numbers(10'000).named("read") | weir::node([](long item) -> std::optional<long> {
                                                  if (item % 2 != 0) return std::nullopt;
                                                  return item;
                                                }).named("even") |
                    add(1).named("add") | into(seen).named("keep"),
                fused());
  ASSERT_EQ(report.nodes.size(), 4U);
  EXPECT_EQ(report.nodes[0].sent, 10'000U);
  EXPECT_EQ(report.nodes[1].items, 10'000U);
  EXPECT_EQ(report.nodes[1].sent, 5000U);
  EXPECT_EQ(report.nodes[2].items, 5000U);
  EXPECT_EQ(report.nodes[3].items, 5000U);
  EXPECT_EQ(report.nodes[0].runs_with, "");
  for (std::size_t i = 1; i != 4; ++i) EXPECT_EQ(report.nodes[i].runs_with, "/read");
  EXPECT_NE(weir::to_table(report).find("/add (with /read)"), std::string::npos);
}

TEST(fused, runs_on_one_thread) {
  std::vector<std::thread::id> threads;
  const auto note = [&](long item) {
    threads.push_back(std::this_thread::get_id());
    return item;
  };
  weir::run(numbers(1) | weir::node(note) | weir::node(note) | weir::sink([&](long item) { note(item); }), fused());
  ASSERT_EQ(threads.size(), 3U);
  EXPECT_EQ(std::count(threads.begin(), threads.end(), threads.front()), 3);
}

TEST(fused, names_the_node_that_failed) {
  for (const char* const culprit : {"first", "second", "third"}) {
    const auto stage = [&](const std::string& name) {
      return weir::node([fails = name == culprit](long item) {
               if (fails && item == 777) throw std::runtime_error("no 777");
               return item;
             })
          .named(name);
    };
    long seen = 0;
    try {
      weir::run(numbers(1000) | stage("first") | stage("second") | stage("third") | weir::sink([&](long) { ++seen; }),
                fused());
      ADD_FAILURE() << culprit;
    } catch (const weir::node_error& error) {
      EXPECT_EQ(error.path(), std::string("/") + culprit);
    }
    EXPECT_LE(seen, 777);
  }
}

// Each node sends far more for one item than the channel holds, so it waits in the middle of its
// turn, within the turn of the node before it.
TEST(fused, lets_those_behind_take_their_turns_while_a_node_waits_for_room) {
  census::reset();
  const auto multiply = [](long times) {
    return weir::node<counted, counted>([times](counted item, weir::outlet<counted>& out) {
      for (long i = 0; i != times; ++i) out.send(counted(item.value()));
    });
  };
  long seen = 0;
  const weir::report report = weir::run(weir::source([made = 0L]() mutable -> std::optional<counted> {
                                          if (made == 3) return std::nullopt;
                                          return counted(made++);
                                        }) | multiply(200) |
                                            multiply(50) | multiply(4) | weir::sink([&](counted) { ++seen; }),
                                        fused());
  EXPECT_EQ(seen, 3 * 200 * 50 * 4);
  EXPECT_EQ(census::alive, 0);
  EXPECT_LT(census::peak, 30'000);
  EXPECT_EQ(report.nodes.back().items, 120'000U);
}

TEST(fused, waits_in_place_for_room_behind_the_last) {
  long seen = 0;
  weir::run(numbers(3) | weir::node<long, long>([](long item, weir::outlet<long>& out) {
              for (long i = 0; i != 30'000; ++i) out.send(item);
            }) | add(1) |
                weir::farm(add(1), 2).by_key([](long item) { return item; }).separate() |
                weir::sink([&](long) { ++seen; }),
            fused());
  EXPECT_EQ(seen, 90'000);
}

TEST(fused, ends_with_a_consumer_that_has_enough) {
  struct first_ten {
    long seen = 0;
    std::vector<long>* out;
    void process(long item) {
      out->push_back(item);
      if (++seen == 10) throw weir::stopped{};
    }
  };
  std::vector<long> seen;
  weir::run(weir::source([made = 0L]() mutable -> std::optional<long> { return made++; }) | add(1) | add(1) |
                weir::sink(first_ten{0, &seen}),
            fused());
  EXPECT_EQ(seen.size(), 10U);
}

TEST(fused, starts_and_finishes_from_the_first_to_the_last) {
  struct framed {
    std::vector<std::string>* log;
    std::string name;
    void start(weir::outlet<long>& out) {
      log->push_back("start " + name);
      out.send(-1);
    }
    long process(long item) { return item; }
    void finish(weir::outlet<long>& out) {
      log->push_back("finish " + name);
      out.send(-2);
    }
  };
  std::vector<std::string> log;
  std::vector<long> seen;
  weir::network net = numbers(2) | weir::node(framed{&log, "a"}) | weir::node(framed{&log, "b"}) | into(seen);
  weir::run(net, fused());
  const auto at = [&](const char* what) { return std::find(log.begin(), log.end(), what) - log.begin(); };
  ASSERT_EQ(log.size(), 4U);
  EXPECT_LT(at("start a"), at("start b"));
  EXPECT_LT(at("start a"), at("finish a"));
  EXPECT_LT(at("finish a"), at("finish b"));
  EXPECT_LT(at("start b"), at("finish b"));
  EXPECT_EQ(seen.size(), 6U);
  EXPECT_EQ(seen.back(), -2);
}

TEST(fused, keeps_the_capacity_that_its_author_gave) {
  std::vector<long> seen;
  const weir::report report = weir::run(numbers(1000) | add(1).capacity(5) | into(seen), fused());
  EXPECT_EQ(report.channels.front().capacity, 5U);
  EXPECT_EQ(seen.size(), 1000U);
}

TEST(fused, runs_again_with_another_node_in_the_place_of_one) {
  std::vector<long> seen;
  struct offset {
    long step;
    long process(long item) const { return item + step; }
  };
  struct three {
    long made = 0;
    void start() { made = 0; }
    std::optional<long> next() {
      if (made == 3) return std::nullopt;
      return made++;
    }
  };
  weir::network net = weir::source(three{}) | weir::node(offset{1}).named("stage") | add(0) | into(seen);
  weir::run(net, fused());
  net.replace("/stage", offset{10});
  weir::run(net, fused());
  weir::run(net);
  EXPECT_EQ(seen, (std::vector<long>{1, 2, 3, 10, 11, 12, 10, 11, 12}));
}

TEST(fused, makes_room_for_a_node_that_tries_to_send) {
  std::vector<long> seen;
  weir::run(numbers(3) | weir::node<long, long>([](long item, weir::outlet<long>& out) {
              for (long i = 0; i != 5000; ++i) {
                for (auto refused = out.try_send(item); refused; refused = out.try_send(refused->item)) {
                  std::this_thread::yield();
                }
              }
            }) | add(1) |
                into(seen),
            fused());
  EXPECT_EQ(seen.size(), 15'000U);
}

TEST(fused, is_not_what_is_replaced_by_a_node_that_is_to_stay_separate) {
  std::vector<long> seen;
  weir::network net = numbers(3) | add(1).named("stage") | into(seen);
  const auto runs_with = [](const weir::report& r) { return r.nodes[1].runs_with; };
  EXPECT_EQ(runs_with(weir::run(net, fused())), "/source1");
  net.replace("/stage", add(1).separate());
  EXPECT_EQ(runs_with(weir::run(net, fused())), "");
}

TEST(fused, gives_the_nodes_behind_a_turn_after_the_first_item_of_unknown_cost) {
  std::atomic<long> made{0};
  std::vector<long> lead;  // number of items made after the one that is seen
  weir::run(weir::source([&]() -> std::optional<long> {
              if (made == 5) return std::nullopt;
              return made++;
            }) | weir::sink([&](long item) { lead.push_back(made - item); }),
            fused());
  ASSERT_EQ(lead.size(), 5U);
  EXPECT_EQ(lead.front(), 1);
}

TEST(fused, is_one_to_the_bottleneck) {
  weir::report report;
  report.wall = std::chrono::seconds(1);
  report.workers = 2;
  const auto busy = [](double share) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(share));
  };
  weir::node_report node;
  node.path = "/read";
  node.busy = busy(0.3);
  report.nodes.push_back(node);
  node.path = "/a";
  node.busy = busy(0.5);
  report.nodes.push_back(node);
  node.path = "/b";
  node.runs_with = "/a";
  node.busy = busy(0.45);
  report.nodes.push_back(node);
  report.channels = {{"/read", "/a", 10, 10, 1}, {"/a", "/b", 10, 10, 1}};
  EXPECT_EQ(weir::bottleneck(report),
            "/a + /b is busy 95 %: they run as one; let /a, which is busy 50 %, run by itself");
  EXPECT_EQ(weir::bottleneck_nodes(report), std::vector<std::size_t>{1});
}

void spin_for(std::chrono::microseconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < until) {
  }
}

// The first node sends more for an item than the second takes in a turn. A turn of the second
// begins with the items that it knows of, and ends when it has taken these. The items that the
// first has sent since must not lie there until another item arrives.
TEST(fused, leave_nothing_between_them) {
  constexpr long sends = 7;
  std::mutex mutex;
  std::condition_variable came;
  long arrived = 0;
  long expected = 0;
  bool all_came = true;
  weir::run(weir::source([&](weir::outlet<long>& out) {
              for (long round = 0; all_came && round != 40; ++round) {
                expected += (1 + round % 5) * sends;
                for (long i = 0; i <= round % 5; ++i) out.send(i);
                std::unique_lock lock(mutex);
                all_came = came.wait_for(lock, std::chrono::seconds(60), [&] { return arrived == expected; });
              }
            }) | weir::node([](long item, weir::outlet<long>& out) {
              for (long i = 0; i != sends; ++i) out.send(item);
            }) | weir::node([](long item) {
              spin_for(std::chrono::microseconds(20));
              return item;
            }) | weir::sink([&](long) {
              const std::lock_guard lock(mutex);
              ++arrived;
              came.notify_one();
            }),
            fused());
  EXPECT_TRUE(all_came) << arrived << " of " << expected;
}

}  // namespace
