// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Nodes that wait for each other across groups.

#include "weir/weir.hpp"

#include "cluster/coordinator/standstill_watch.hpp"
#include "cluster/wire/frame.hpp"
#include "clusters.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace std::chrono_literals;
using namespace weir_test;
using weir::group_selection;

class standstill : public in_a_cluster {
 protected:
  // Returns the text of the error in each group; empty if there is none.
  std::map<std::string, std::string> failures_of(const std::vector<group_selection>& groups,
                                                 const std::function<weir::network()>& make) {
    weir::cluster_configuration configuration;
    for (const auto& group : groups) {
      auto& about = configuration.groups.emplace_back();
      about.name = group.group;
      about.nodes = group.nodes;
    }
    configuration.transport = transport();
    cluster_in_process cluster(configuration);
    const auto problems = cluster.in_each_group([&](weir::cluster_member& member) {
      weir::run_options options = GetParam().options;
      options.member = &member;
      weir::run(make(), options);
    });
    std::map<std::string, std::string> texts;
    for (const auto& [group, problem] : problems) texts[group] = text_of(problem);
    return texts;
  }
};
// The executors that watch runs in different ways.
INSTANTIATE_TEST_SUITE_P(under, standstill,
                         testing::Values(under{"pool", {.executor = weir::executor::pool, .workers = 2}},
                                         under{"threads", {.executor = weir::executor::threads}}),
                         executor_name);

weir::network zip_with_a_filter() {
  const auto same = weir::node([](long n) { return n; }).named("same").capacity(16);
  const auto late = weir::node([seen = 0](long n) mutable {
                      return ++seen > 100'000 ? std::optional(n) : std::nullopt;
                    }).named("late");
  return numbers(1'000'000).named("numbers") | weir::tee(same, late) |
         weir::zip<long, long>().capacity(16).named("zip") | weir::sink([](std::tuple<long, long>) {}).named("count");
}

TEST_P(standstill, names_the_cycle_in_every_group) {
  const auto failures =
      failures_of({{"A", {"numbers"}}, {"B", {"tee2/same"}}, {"C", {"tee2/late", "zip", "count"}}}, zip_with_a_filter);
  for (const auto& [group, text] : failures) {
    EXPECT_NE(text.find("no node can go on, because each waits for the next: "), std::string::npos) << group << text;
    EXPECT_NE(text.find("/zip waits for input from /tee2/late"), std::string::npos) << group << text;
    EXPECT_NE(text.find("/tee2/late waits for input from /numbers"), std::string::npos) << group << text;
    EXPECT_NE(text.find("/numbers waits for room in the channel to /tee2/same"), std::string::npos) << group << text;
    EXPECT_EQ(text.find("remote"), std::string::npos) << group << text;
  }
}

TEST_P(standstill, of_a_loop_that_lies_in_two_groups) {
  struct master {
    void process(long n, weir::outlet<long>& jobs, weir::outlet<long>&) { jobs.send(n); }
    void returned(long n, weir::outlet<long>&, weir::outlet<long>& answers) { answers.send(n); }
  };
  const auto failures = failures_of({{"A", {}}, {"B", {}}}, [] {
    const auto same = weir::node([](long n) { return n; });
    const auto late = weir::node([seen = 0](long n) mutable { return seen++ == 0 ? std::nullopt : std::optional(n); });
    const auto sum = weir::node([](std::tuple<long, long> both) { return std::get<0>(both) + std::get<1>(both); });
    const auto body = weir::tee(same, late) | weir::zip<long, long>() | sum;
    return numbers(10).in_group("A") | weir::feedback(master{}, body.in_group("B")).in_group("A") |
           weir::sink([](long) {}).in_group("A");
  });
  for (const auto& [group, text] : failures) {
    EXPECT_NE(text.find("waits for input from "), std::string::npos) << group << text;
  }
}

// Two groups are idle while the third one works, for longer than it takes to ask all of them.
void sleep_in_one_group(const std::string& sleeper) {
  cluster_in_process cluster(groups_named({"A", "B", "C"}));
  std::atomic<long> sum{0};
  const auto problems = cluster.in_each_group([&](weir::cluster_member& member) {
    const auto pass = [&](const std::string& group, long n) {
      if (group == sleeper && n == 1) std::this_thread::sleep_for(1500ms);
      return n;
    };
    weir::network net = weir::source([&, i = 0L]() mutable -> std::optional<long> {
                          return i == 3 ? std::nullopt : std::optional(pass("A", i++));
                        }).in_group("A") |
                        weir::node([&](long n) { return pass("B", n); }).in_group("B") |
                        weir::sink([&](long n) { sum += pass("C", n); }).in_group("C");
    weir::run(net, {.member = &member});
  });
  for (const auto& [group, problem] : problems) EXPECT_EQ(text_of(problem), "") << group;
  EXPECT_EQ(sum, 3);
}

TEST(standstills, are_none_while_a_node_works_or_waits_for_the_outside) {
  std::vector<std::thread> all;
  for (const char* sleeper : {"A", "B", "C"}) all.emplace_back(sleep_in_one_group, sleeper);
  for (std::thread& each : all) each.join();
}

using weir::cluster::crossed;
using weir::cluster::standstill_answer;
using weir::cluster::standstill_watch;
using order = standstill_watch::order;

standstill_answer answer_of(std::uint64_t question, std::uint64_t rounds, const std::string& other, crossed what) {
  standstill_answer made;
  made.question = question;
  made.rounds = rounds;
  made.traffic[other] = what;
  made.nodes.push_back({"/n", "/n", "/m", "/n waits for /m"});
  return made;
}

constexpr crossed sent_three{.out = {.items = 3, .completed = 1, .closed = 0, .abandoned = 0}, .in = {}};
constexpr crossed got_three{.out = {}, .in = {.items = 3, .completed = 1, .closed = 0, .abandoned = 0}};
constexpr crossed got_two{.out = {}, .in = {.items = 2, .completed = 1, .closed = 0, .abandoned = 0}};

TEST(standstill_watch, fails_when_all_answer_the_same_and_nothing_is_on_its_way) {
  standstill_watch watch({"A", "B"});
  EXPECT_EQ(watch.still("A", 5), order::none);
  EXPECT_EQ(watch.still("B", 7), order::ask);
  const std::uint64_t first = watch.ask();
  EXPECT_EQ(watch.answered("A", answer_of(first, 5, "B", sent_three)), order::none);
  EXPECT_EQ(watch.answered("B", answer_of(first, 7, "A", got_two)), order::ask_later);
  EXPECT_EQ(watch.again(), order::ask);
  const std::uint64_t second = watch.ask();
  EXPECT_EQ(watch.answered("A", answer_of(first, 5, "B", sent_three)), order::none) << "of an earlier question";
  EXPECT_EQ(watch.answered("A", answer_of(second, 5, "B", sent_three)), order::none);
  EXPECT_EQ(watch.answered("B", answer_of(second, 7, "A", got_three)), order::fail);
  ASSERT_TRUE(watch.cycle());
  EXPECT_EQ(watch.cycle()->group, "A");
  EXPECT_EQ(watch.cycle()->cycle.path, "/n");
}

TEST(standstill_watch, asks_again_where_something_has_run) {
  standstill_watch watch({"A", "B"});
  watch.still("A", 5);
  watch.still("B", 7);
  std::uint64_t question = watch.ask();
  watch.answered("A", answer_of(question, 6, "B", sent_three));
  EXPECT_EQ(watch.answered("B", answer_of(question, 7, "A", got_three)), order::ask_later);
  EXPECT_EQ(watch.again(), order::ask);
  question = watch.ask();
  watch.answered("A", answer_of(question, 0, "B", sent_three));
  EXPECT_EQ(watch.answered("B", answer_of(question, 7, "A", got_three)), order::none) << "A goes on";
  EXPECT_EQ(watch.again(), order::none);
  EXPECT_EQ(watch.still("A", 9), order::ask);
}

TEST(standstill_watch, counts_groups_that_have_ended) {
  standstill_watch watch({"A", "B"});
  EXPECT_EQ(watch.still("A", standstill_answer::is_done), order::none);
  EXPECT_EQ(watch.still("B", 7), order::ask);
  const std::uint64_t question = watch.ask();
  watch.answered("A", answer_of(question, standstill_answer::is_done, "B", sent_three));
  EXPECT_EQ(watch.answered("B", answer_of(question, 7, "A", got_three)), order::fail);
  standstill_watch ended({"A", "B"});
  ended.still("A", standstill_answer::is_done);
  EXPECT_EQ(ended.still("B", standstill_answer::is_done), order::none);
}

// A group may send more messages between its answer and the last answer.
TEST(standstill_watch, compares_with_what_was_said_before_the_question) {
  standstill_watch watch({"A", "B"});
  watch.still("A", 5);
  watch.still("B", 7);
  const std::uint64_t question = watch.ask();
  watch.answered("A", answer_of(question, standstill_answer::is_done, "B", sent_three));
  EXPECT_EQ(watch.still("A", standstill_answer::is_done), order::none);
  EXPECT_EQ(watch.answered("B", answer_of(question, 7, "A", got_three)), order::ask_later) << "A has run since";
}

TEST(standstill_watch, keeps_what_was_said_after_an_answer) {
  standstill_watch watch({"A", "B"});
  watch.still("A", 5);
  watch.still("B", 7);
  const std::uint64_t question = watch.ask();
  watch.answered("A", answer_of(question, 0, "B", sent_three));
  EXPECT_EQ(watch.still("A", standstill_answer::is_done), order::none);
  EXPECT_EQ(watch.answered("B", answer_of(question, 7, "A", got_three)), order::ask_later);
  EXPECT_EQ(watch.again(), order::ask);
}

TEST(standstill_watch, has_nodes_end_that_can_before_it_fails) {
  standstill_watch watch({"A", "B"});
  watch.still("A", 5);
  watch.still("B", 7);
  const std::uint64_t question = watch.ask();
  standstill_answer of_a = answer_of(question, 5, "B", sent_three);
  of_a.some_can_end = true;
  watch.answered("A", std::move(of_a));
  EXPECT_EQ(watch.answered("B", answer_of(question, 7, "A", got_three)), order::end_some);
  EXPECT_EQ(watch.end_some(), (std::map<std::string, std::uint64_t>{{"A", 5}}));
  EXPECT_EQ(watch.again(), order::none) << "A has not said anything since";
}

}  // namespace
