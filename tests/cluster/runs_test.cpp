// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A network cut into groups gives the same results as in one process, and ends everywhere when one
// group fails.

#include "weir/io/from.hpp"
#include "weir/patterns/map_reduce.hpp"

#include "clusters.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace {

using namespace weir_test;
using weir::cluster_member;
WEIR_UNDER_EACH_EXECUTOR(in_a_cluster);

auto twice() {
  return weir::node([](long item) { return 2 * item; });
}

TEST_P(in_a_cluster, a_pipeline_cut_at_each_of_its_channels) {
  const maker make = [](std::vector<long>& seen) -> weir::network {
    return numbers(20'000).named("a") | twice().named("b") | twice().named("c") | into(seen).named("d");
  };
  expect_equal_items({{"G1", {"a"}}, {"G2", {"b"}}, {"G3", {"c"}}, {"G4", {"d"}}}, make);
  EXPECT_EQ(run_cut({{"G1", {"a", "c"}}, {"G2", {"b", "d"}}}, make), run_whole(make));  // the order is the same, too
  batch_size = 1;
  expect_equal_items({{"G1", {"a", "b"}}, {"G2", {"c", "d"}}}, make);
}

TEST_P(in_a_cluster, farms_cut_between_their_workers) {
  const maker make = [](std::vector<long>& seen) -> weir::network {
    return numbers(20'000).named("a") | weir::farm(twice(), 4).named("b") | weir::farm(twice(), 3).named("c") |
           into(seen).named("d");
  };
  expect_equal_items({{"G1", {"a", "b[0-1]", "c[0]"}}, {"G2", {"b[2-3]", "c[1-2]", "d"}}}, make);  // horizontal
  expect_equal_items({{"G1", {"a", "b"}}, {"G2", {"c", "d"}}}, make);                              // vertical
  expect_equal_items({{"G1", {"a", "c[0]", "d"}}, {"G2", {"b[0]", "c[1]"}}, {"G3", {"b[1-3]", "c[2]"}}}, make);
}

TEST_P(in_a_cluster, items_with_keys_stay_together) {
  const maker make = [](std::vector<long>& seen) -> weir::network {
    struct counter {
      std::map<long, long> counts;
      void process(long item, weir::outlet<long>&) { ++counts[item % 7]; }
      void finish(weir::outlet<long>& out) {
        for (const auto& [key, count] : counts) out.send(key * 1'000'000 + count);
      }
    };
    return numbers(7000).named("a") | weir::farm(twice(), 2).named("b") |
           weir::farm(counter{}, 3).by_key([](long item) { return static_cast<std::size_t>(item % 7); }).named("c") |
           into(seen).named("d");
  };
  expect_equal_items({{"G1", {"a", "b[0]", "c[0]"}}, {"G2", {"b[1]", "c[1]"}}, {"G3", {"c[2]", "d"}}}, make);
}

TEST_P(in_a_cluster, nested_farms_and_broadcasts) {
  const maker make = [](std::vector<long>& seen) -> weir::network {
    return numbers(3000).named("a") | weir::farm(weir::farm(twice(), 2).named("inner"), 2).named("outer") |
           weir::farm(twice(), 3).broadcast().named("each") | into(seen).named("d");
  };
  expect_equal_items({{"G1", {"a", "outer[0]", "each[0]"}},
                      {"G2", {"outer[1]/inner[0]", "each[1]"}},
                      {"G3", {"outer[1]/inner[1]", "each[2]", "d"}}},
                     make);
}

TEST_P(in_a_cluster, a_broadcast_crosses_to_each_group_once) {
  const maker make = [](std::vector<long>& seen) -> weir::network {
    return numbers(2000).named("a") | weir::farm(twice(), 5).broadcast().named("each") | into(seen).named("d");
  };
  expect_equal_items({{"G1", {"a"}}, {"G2", {"each[0-2]"}}, {"G3", {"each[3-4]", "d"}}}, make);
  std::uint64_t crossed = 0;
  for (const auto& c : reports["G1"].channels) crossed += c.to.starts_with("/remote/") ? c.items : 0;
  EXPECT_EQ(crossed, 4000U);
  // The report describes the network as the program wrote it, without the nodes at the cuts.
  const weir::report& all = reports["G3"];
  ASSERT_EQ(all.nodes.size(), 7U);
  EXPECT_EQ(all.nodes[0].sent, 10'000U);
  ASSERT_EQ(all.channels.size(), 10U);
  EXPECT_EQ(all.channels[0].from, "/a");
  EXPECT_EQ(all.channels[0].to, "/each[0]");
  EXPECT_EQ(all.channels[0].items, 2000U);
}

TEST_P(in_a_cluster, a_map_reduce_combines_before_it_sends) {
  const maker make = [](std::vector<long>& seen) -> weir::network {
    return numbers(7000).named("a") |
           weir::map_reduce([](long item, weir::pair_outlet<long, long>& pairs) { pairs.send(item % 10, item); },
                            [](long& total, long more) { total += more; }, 4, 2)
               .named("b") |
           weir::node([](const std::pair<long, long>& of) { return of.first * 1'000'000'000 + of.second; }).named("c") |
           into(seen).named("d");
  };
  expect_equal_items({{"G1", {"a", "b/map[0-1]", "b/reduce[0]"}}, {"G2", {"b/map[2-3]", "b/reduce[1]", "c", "d"}}},
                     make);
  std::uint64_t partial = 0;
  for (const auto& c : reports["G2"].channels) partial += c.from.starts_with("/b/map") ? c.items : 0;
  EXPECT_LE(partial, 40U);
}

TEST_P(in_a_cluster, an_ordered_farm_keeps_its_order) {
  const maker make = [](std::vector<long>& seen) -> weir::network {
    const auto odd_twice = [](long item, weir::outlet<long>& out) {
      for (long i = 0; i != item % 2 * 2; ++i) out.send(item);
    };
    return numbers(5000).named("a") | weir::farm(weir::node(odd_twice), 4).ordered().named("b") | into(seen).named("d");
  };
  // The nodes that number the items and put them back in order are blocks of the farm, too.
  EXPECT_EQ(run_cut({{"G1", {"a", "b[0-1]", "b/*"}}, {"G2", {"b[2-3]", "d"}}}, make), run_whole(make));
}

// Channels to the workers have at most one item under way, also if the workers are in other groups.
TEST_P(in_a_cluster, consumers_on_demand_have_no_more_than_they_may) {
  std::atomic<long> sent{0};
  std::atomic<long> completed{0};
  std::atomic<long> most{0};
  const maker make = [&](std::vector<long>& seen) -> weir::network {
    return weir::source([&, next = 0L]() mutable -> std::optional<long> {
             if (next == 300) return std::nullopt;
             return next++;
           }).named("a") |
           weir::farm(weir::node([&](long item) {
                        const long under_way = ++sent - completed;
                        long before = most;
                        while (before < under_way && !most.compare_exchange_weak(before, under_way)) continue;
                        ++completed;
                        return item;
                      }),
                      2)
               .on_demand(1)
               .named("b") |
           into(seen).named("d");
  };
  expect_equal_items({{"G1", {"a", "d"}}, {"G2", {"b[0]"}}, {"G3", {"b[1]"}}}, make);
  EXPECT_LE(most.load(), 2);
}

// With one job at a time, a worker in the same group always has room. An exception is a worker that
// loses its core within an item, so that its items seem long: a balancing sender then gives it one
// item at a time, and the answer may arrive before that item counts as done.
TEST_P(in_a_cluster, consumers_in_the_same_group_come_first) {
  struct one_at_a_time {
    long left = 0;
    void process(long jobs, weir::outlet<long>& out, weir::outlet<long>&) {
      left = jobs;
      out.send(left);
    }
    void returned(long, weir::outlet<long>& out, weir::outlet<long>& answers) {
      if (--left != 0) {
        out.send(left);
      } else {
        answers.send(0);
      }
    }
  };
  for (const bool on_demand : {false, true}) {
    const maker make = [on_demand](std::vector<long>& seen) -> weir::network {
      auto workers = weir::farm(twice(), 3);
      if (on_demand) workers = workers.on_demand(2);
      return weir::from(std::vector<long>{300}).named("a") |
             weir::feedback(one_at_a_time{}, workers.named("work")).named("loop") | into(seen).named("d");
    };
    run_cut({{"G1", {"a", "loop/master1", "loop/work[1]", "d"}}, {"G2", {"loop/work[0]", "loop/work[2]"}}}, make);
    SCOPED_TRACE(on_demand);
    const weir::report& all = reports["G1"];
    ASSERT_EQ(all.nodes.size(), 6U);
    EXPECT_EQ(all.nodes[2].path, "/loop/work[0]");
    EXPECT_EQ(all.nodes[2].items + all.nodes[3].items + all.nodes[4].items, 300U);
    EXPECT_GE(all.nodes[3].items, on_demand ? 300U : 270U);
  }
}

TEST_P(in_a_cluster, consumers_in_other_groups_get_what_those_in_the_same_one_have_no_room_for) {
  for (const bool on_demand : {false, true}) {
    std::atomic<bool> far_has_one{false};
    const maker make = [&](std::vector<long>& seen) -> weir::network {
      auto workers = weir::farm(weir::node([&](long item, weir::outlet<long>& out, weir::context& where) {
                                  if (where.index() == 1) far_has_one = true;
                                  while (!far_has_one) std::this_thread::yield();
                                  out.send(item);
                                }).blocking(),
                                2);
      if (on_demand) workers = workers.on_demand(1);
      return numbers(3000).named("a") | workers.named("work") | into(seen).named("d");
    };
    EXPECT_EQ(run_cut({{"G1", {"a", "work[0]", "d"}}, {"G2", {"work[1]"}}}, make).size(), 3000U);
  }
}

TEST_P(in_a_cluster, whoever_wants_no_more_ends_those_in_front) {
  const maker make = [](std::vector<long>& seen) -> weir::network {
    return weir::source([next = 0L]() mutable -> std::optional<long> { return next++; }).named("a") |
           twice().named("b") | weir::node([left = 1000](long item, weir::outlet<long>& out) mutable {
                                  if (left-- == 0) throw weir::stopped{};
                                  out.send(item);
                                }).named("c") |
           into(seen).named("d");
  };
  EXPECT_EQ(run_cut({{"G1", {"a"}}, {"G2", {"b"}}, {"G3", {"c", "d"}}}, make).size(), 1000U);
}

TEST_P(in_a_cluster, one_report_in_the_result_group) {
  const maker make = [](std::vector<long>& seen) -> weir::network {
    return numbers(1000).named("a") | weir::farm(twice(), 2).named("b") | into(seen).named("d");
  };
  run_cut({{"G1", {"a"}}, {"G2", {"b"}}, {"G3", {"d"}}}, make);
  EXPECT_FALSE(reports["G1"].in_result_group);
  EXPECT_FALSE(reports["G2"].in_result_group);
  const weir::report& all = reports["G3"];
  EXPECT_TRUE(all.in_result_group);
  ASSERT_EQ(all.nodes.size(), 4U);
  EXPECT_EQ(all.nodes[0].path, "/a");
  EXPECT_EQ(all.nodes[0].sent, 1000U);
  EXPECT_EQ(all.nodes[1].items + all.nodes[2].items, 1000U);
  EXPECT_EQ(all.nodes[3].items, 1000U);
  ASSERT_EQ(all.channels.size(), 4U);
  EXPECT_EQ(all.channels[0].items + all.channels[1].items, 1000U);
  EXPECT_EQ(all.channels[2].to, "/d");
}

TEST_P(in_a_cluster, runs_again_with_the_state_of_its_nodes) {
  weir::cluster_configuration configuration = groups_named({"G1", "G2"});
  cluster_in_process cluster(configuration);
  const auto problems = cluster.in_each_group([&](cluster_member& member) {
    std::vector<long> sums;
    struct summing {
      long sum = 0;
      void process(long item, weir::outlet<long>&) { sum += item; }
      void finish(weir::outlet<long>& out) { out.send(sum); }
    };
    weir::network net = (weir::source([next = 0L]() mutable -> std::optional<long> {
                           if (++next % 101 == 0) return std::nullopt;
                           return 1;
                         }) |
                         twice())
                            .in_group("G1") |
                        (weir::node(summing{}) | into(sums)).in_group("G2");
    weir::run_options options = GetParam().options;
    options.member = &member;
    for (int i = 0; i != 20; ++i) weir::run(net, options);
    if (member.name() == "G1") return;
    ASSERT_EQ(sums.size(), 20U);
    for (std::size_t i = 0; i != 20; ++i) EXPECT_EQ(sums[i], 200 * static_cast<long>(i + 1));
  });
  for (const auto& [group, problem] : problems) EXPECT_EQ(text_of(problem), "") << group;
}

// The errors that each group reports when a network fails in G2.
TEST_P(in_a_cluster, an_error_ends_all_groups_and_is_named_in_each) {
  cluster_in_process cluster(groups_named({"G1", "G2", "G3"}));
  const auto problems = cluster.in_each_group([&](cluster_member& member) {
    std::vector<long> seen;
    weir::network net = weir::source([next = 0L]() mutable -> std::optional<long> { return next++; }).in_group("G1") |
                        weir::node([](long item) {
                          if (item == 5000) throw std::runtime_error("five thousand");
                          return item;
                        })
                            .named("check")
                            .in_group("G2") |
                        into(seen).in_group("G3");
    weir::run_options options = GetParam().options;
    options.member = &member;
    weir::run(net, options);
  });
  EXPECT_EQ(text_of(problems.at("G1")), "/check (group G2): five thousand");
  EXPECT_EQ(text_of(problems.at("G2")), "/check: five thousand");
  EXPECT_EQ(text_of(problems.at("G3")), "/check (group G2): five thousand");
  const auto failure = cluster.coordinator.failure();
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->group, "G2");
  EXPECT_EQ(failure->path, "/check");
}

TEST_P(in_a_cluster, cancelling_one_group_cancels_all_of_them) {
  cluster_in_process cluster(groups_named({"G1", "G2"}));
  const auto problems = cluster.in_each_group([&](cluster_member& member) {
    std::atomic<long> came{0};
    weir::network net = weir::source([next = 0L]() mutable -> std::optional<long> { return next++; }).in_group("G1") |
                        weir::sink([&](long) { ++came; }).in_group("G2");
    weir::run_options options = GetParam().options;
    options.member = &member;
    weir::running run = weir::start(net, options);
    if (member.name() == "G2") {
      while (came.load() < 1000) std::this_thread::yield();
      run.cancel();
    }
    run.wait();
  });
  for (const auto& [group, problem] : problems) EXPECT_EQ(text_of(problem), "") << group;
}

TEST_P(in_a_cluster, draining_one_group_lets_everything_arrive) {
  cluster_in_process cluster(groups_named({"G1", "G2"}));
  std::atomic<long> made{0};
  std::atomic<long> came{0};
  const auto problems = cluster.in_each_group([&](cluster_member& member) {
    weir::network net = weir::source([&]() -> std::optional<long> { return ++made; }).in_group("G1") |
                        weir::sink([&](long) { ++came; }).in_group("G2");
    weir::run_options options = GetParam().options;
    options.member = &member;
    weir::running run = weir::start(net, options);
    if (member.name() == "G2") {
      while (came.load() < 1000) std::this_thread::yield();
      run.drain();
    }
    run.wait();
  });
  for (const auto& [group, problem] : problems) EXPECT_EQ(text_of(problem), "") << group;
  EXPECT_EQ(made.load(), came.load());
}

TEST_P(in_a_cluster, random_cuts_of_a_network_with_everything) {
  std::mt19937 random(7);
  for (int round = 0; round != 10; ++round) {
    const maker make = [](std::vector<long>& seen) -> weir::network {
      const auto some = [](long item, weir::outlet<long>& out) {
        for (long i = 0; i != item % 3; ++i) out.send(item + i);
      };
      return numbers(2000).named("a") | weir::farm(weir::node(some), 3).named("b") |
             weir::farm(weir::farm(twice(), 2).named("i").on_demand(2), 2).named("c") |
             weir::farm(weir::node(some), 3)
                 .by_key([](long item) { return static_cast<std::size_t>(item / 5); })
                 .named("e") |
             into(seen).named("f");
    };
    std::vector<weir::group_selection> groups{{"G1", {"a"}}, {"G2", {"f"}}, {"G3", {"b[0]"}}};
    for (const char* node :
         {"b[1]", "b[2]", "c[0]/i[0]", "c[0]/i[1]", "c[1]/i[0]", "c[1]/i[1]", "e[0]", "e[1]", "e[2]"}) {
      groups[random() % groups.size()].nodes.emplace_back(node);
    }
    expect_equal_items(groups, make);
  }
}

TEST(cluster, groups_that_run_different_networks_refuse_each_other) {
  cluster_in_process cluster(groups_named({"G1", "G2"}));
  const auto problems = cluster.in_each_group([&](cluster_member& member) {
    std::vector<long> seen;
    const std::size_t width = member.name() == "G1" ? 2 : 3;
    weir::network net = (numbers(10) | weir::farm(twice(), width)).in_group("G1") | into(seen).in_group("G2");
    weir::run(net, {.member = &member});
  });
  EXPECT_NE(text_of(problems.at("G1")).find("runs another network"), std::string::npos) << text_of(problems.at("G1"));
  EXPECT_NE(text_of(problems.at("G2")).find("runs another network"), std::string::npos) << text_of(problems.at("G2"));
}

TEST(cluster, a_group_that_ends_early_is_named) {
  cluster_in_process cluster(groups_named({"G1", "G2"}));
  const auto problems = cluster.in_each_group([&](cluster_member& member) {
    if (member.name() == "G2") return;
    std::vector<long> seen;
    weir::network net = numbers(10).in_group("G1") | into(seen).in_group("G2");
    weir::run(net, {.member = &member});
  });
  EXPECT_NE(text_of(problems.at("G1")).find("group G2"), std::string::npos) << text_of(problems.at("G1"));
}

// The group that has the coordinator may be the first to be done.
TEST(cluster, a_coordinator_that_ends_right_after_a_run_fails_no_group) {
  for (int round = 0; round != 30; ++round) {
    auto coordinator = std::make_unique<weir::coordinator>(groups_named({"G1", "G2"}), "a secret", true);
    const std::string at = "127.0.0.1:" + std::to_string(coordinator->port());
    const auto run_as = [&](const std::string& name) {
      cluster_member member(name, at, "a secret");
      std::vector<long> seen;
      weir::network net = numbers(10).in_group("G1") | into(seen).in_group("G2");
      weir::run(net, {.member = &member});
      if (name == "G2") coordinator.reset();
    };
    std::string problem;
    std::thread other([&] {
      try {
        run_as("G1");
      } catch (const std::exception& caught) {
        problem = caught.what();
      }
    });
    run_as("G2");
    other.join();
    ASSERT_EQ(problem, "");
  }
}

TEST(cluster, whoever_does_not_know_the_secret_is_refused) {
  weir::cluster_configuration configuration = groups_named({"G1"});
  weir::coordinator coordinator(configuration, "a secret", true);
  EXPECT_THROW(cluster_member("G1", "127.0.0.1:" + std::to_string(coordinator.port()), "another"), weir::graph_error);
  const cluster_member right("G1", "127.0.0.1:" + std::to_string(coordinator.port()), "a secret");
}

// Whether this machine has IPv6.
bool has_ipv6() {
  const int made = ::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in6 at{};
  at.sin6_family = AF_INET6;
  at.sin6_addr = in6addr_loopback;
  const bool bound = made >= 0 && ::bind(made, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0;
  if (made >= 0) ::close(made);
  return bound;
}

TEST(cluster, groups_come_by_ipv6_and_by_ipv4) {
  if (!has_ipv6()) GTEST_SKIP() << "this machine has no IPv6";
  for (const bool loopback_only : {true, false}) {
    weir::cluster_configuration configuration = groups_named({"G1", "G2"});
    configuration.transport = weir::link_transport::tcp;
    configuration.start_within = std::chrono::seconds(10);
    for (const auto& [one, other] : {std::pair("[::1]", "[::1]"), {"[::1]", "127.0.0.1"}, {"127.0.0.1", "localhost"}}) {
      weir::coordinator coordinator(configuration, "a secret", loopback_only);
      const std::string port = ":" + std::to_string(coordinator.port());
      const auto take_part = [&](const std::string& group, const std::string& at, std::string& result) {
        try {
          cluster_member member(group, at + port, "a secret");
          std::vector<long> seen;
          weir::network net = numbers(100).in_group("G1") | into(seen).in_group("G2");
          weir::run(net, {.member = &member});
          result = std::to_string(seen.size());
        } catch (const std::exception& problem) {
          result = problem.what();
        }
      };
      std::string of_first;
      std::string of_second;
      std::thread first([&, at = one] { take_part("G1", at, of_first); });
      take_part("G2", other, of_second);
      first.join();
      EXPECT_EQ(of_first, "0") << one;
      EXPECT_EQ(of_second, "100") << other;
    }
  }
}

TEST(cluster, a_group_that_never_comes_up_is_named) {
  weir::cluster_configuration configuration = groups_named({"G1", "G2"});
  configuration.start_within = std::chrono::seconds(3);  // enough for G1 to come up
  weir::coordinator coordinator(configuration, "", true);
  try {
    cluster_member("G1", "127.0.0.1:" + std::to_string(coordinator.port()), "");
    FAIL();
  } catch (const weir::graph_error& problem) {
    EXPECT_NE(std::string(problem.what()).find("group G2: has not come up"), std::string::npos) << problem.what();
  }
}

TEST(cluster, a_group_that_has_left_is_named_to_who_begins_another_run) {
  for (const std::string leaver : {"east", "west"}) {
    weir::cluster_configuration configuration = weir_test::groups_named({"east", "west"});
    configuration.groups[0].nodes = {"a"};
    configuration.groups[1].nodes = {"c"};
    weir_test::cluster_in_process cluster(configuration);
    const auto problems = cluster.in_each_group([&](weir::cluster_member& member) {
      std::vector<long> seen;
      weir::network net = weir_test::numbers(10).named("a") | weir_test::into(seen).named("c");
      weir::run_options options;
      options.member = &member;
      weir::run(net, options);
      if (member.name() != leaver) weir::run(net, options);
    });
    const std::string other = leaver == "east" ? "west" : "east";
    EXPECT_EQ(weir_test::text_of(problems.at(leaver)), "");
    EXPECT_NE(weir_test::text_of(problems.at(other)).find(leaver + ": has ended, while others begin run 2"),
              std::string::npos)
        << weir_test::text_of(problems.at(other));
  }
}

}  // namespace
