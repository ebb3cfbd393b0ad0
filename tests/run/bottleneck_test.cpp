// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Networks that have each kind of bottleneck, and the text that the report gives for them.

#include "networks.hpp"

#include <chrono>
#include <string>
#include <thread>

namespace {

using namespace weir_test;

class bottleneck : public each_executor {
 protected:
  std::string of(weir::network&& net) {
    const weir::report made = run(std::move(net));
    held_up_ = made.wall > 3 * work_of_the_limit;
    return weir::bottleneck(made);
  }

  // The cores can be the limit, too: with one worker, or if other work on the machine held the run
  // up.
  bool cores_may_be_the_limit() const { return GetParam().options.workers == 1 || held_up_; }

  bool is_said(const std::string& said, const char* who, const char* remedy) const {
    const auto has = [&](const char* part) { return said.find(part) != std::string::npos; };
    return (has(who) && has(remedy)) || (cores_may_be_the_limit() && has("the cores are the limit"));
  }

  // The time that the limiting nodes of these networks need for their items.
  static constexpr std::chrono::milliseconds work_of_the_limit{30};

 private:
  bool held_up_ = false;
};
// The texts for fused nodes are tested in fused_test.cpp.
INSTANTIATE_TEST_SUITE_P(under, bottleneck, testing::ValuesIn(executors_without_fusing()), executor_name);

// The work of an expensive node. It takes at least this time, whatever else the machine does.
long take_time(long item) {
  std::this_thread::sleep_for(std::chrono::microseconds(200));
  return item;
}
long pass(long item) { return item; }

constexpr long few = 150;

auto slow_numbers(long count) {
  return weir::source([next = 0L, count]() mutable -> std::optional<long> {
    if (next == count) return std::nullopt;
    return take_time(next++);
  });
}
auto discard() {
  return weir::sink([](long) {});
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_P(bottleneck, is_the_source) {
  const std::string said =
      of(slow_numbers(few).named("read") | weir::farm(pass, 2).named("work") | discard().named("end"));
  EXPECT_TRUE(is_said(said, "/read is busy ", "the source is the limit")) << said;
}

TEST_P(bottleneck, is_one_slow_stage) {
  const std::string said =
      of(numbers(few).named("read") | weir::node(pass).named("first") | weir::node(take_time).named("slow") |
         weir::node(pass).named("last") | discard().named("end"));
  EXPECT_TRUE(is_said(said, "/slow is busy ", "make /slow a farm")) << said;
}

TEST_P(bottleneck, is_a_farm_with_too_few_workers) {
  const std::string said = of(numbers(2 * few).named("read") | weir::farm(take_time, 2).round_robin().named("work") |
                              discard().named("end"));
  const bool is_farm = contains(said, "the 2 of /work are busy ") && contains(said, "give /work more workers");
  const bool is_core = contains(said, "the cores are the limit") && contains(said, "first in /work");
  EXPECT_TRUE(GetParam().options.workers == 1 ? is_core : is_farm || (cores_may_be_the_limit() && is_core)) << said;
}

TEST_P(bottleneck, is_one_worker_where_keys_are_skewed) {
  const auto key = [](long item) { return item % 50 == 0 ? item : 7L; };
  const std::string said =
      of(numbers(few).named("read") | weir::farm(take_time, 4).by_key(key).named("count") | discard().named("end"));
  EXPECT_TRUE(is_said(said, "/count[", "shared out unevenly")) << said;
}

TEST_P(bottleneck, is_the_sink) {
  const std::string said = of(numbers(few).named("read") | weir::farm(pass, 2).named("work") |
                              weir::sink([](long item) { take_time(item); }).named("write"));
  EXPECT_TRUE(is_said(said, "/write is busy ", "the last node is the limit")) << said;
}

// Four computing stages of about equal cost on one worker.
TEST(bottleneck, is_the_cores) {
  const auto compute = [](long item) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(20);
    while (std::chrono::steady_clock::now() < until) {
    }
    return item;
  };
  weir::network net = weir::source(counts{2000}) | weir::node(compute).named("a") | weir::node(compute).named("b") |
                      weir::node(compute).named("c") | weir::node(compute).named("d") | discard();
  weir::report made;
  // On a machine with other work the worker may begin late; then it was not the limit of that run.
  const auto was_held_up = [&] {
    double busy = 0;
    for (const weir::node_report& each : made.nodes) busy += static_cast<double>(each.busy.count());
    return busy < 0.9 * static_cast<double>(made.wall.count());
  };
  int runs = 0;
  do {
    made = weir::run(net, {.workers = 1});
    ASSERT_EQ(made.nodes.front().sent, 2000U) << "of run " << runs;
  } while (was_held_up() && ++runs != 100);
  ASSERT_FALSE(was_held_up()) << "other work has held up the worker in a hundred runs";
  const std::string said = weir::bottleneck(made);
  EXPECT_TRUE(contains(said, "the one worker is busy ") && contains(said, "the cores are the limit")) << said;
}

weir::node_report node(const char* path, double busy, double ready, double room) {
  const auto part = [](double share) { return std::chrono::nanoseconds(static_cast<long>(share * 1e9)); };
  return {path, "node", 1000, 1000, 10, part(busy), part(ready), part(1 - busy - ready - room), part(room)};
}

weir::report a_second(std::vector<weir::node_report> nodes, std::vector<weir::channel_report> channels,
                      std::size_t workers) {
  weir::report made;
  made.nodes = std::move(nodes);
  made.channels = std::move(channels);
  made.wall = std::chrono::seconds(1);
  made.workers = workers;
  return made;
}

TEST(bottleneck, is_a_node_that_waits_in_its_own_code) {
  weir::report said = a_second({node("/read", 0, 0, 0.9), node("/write", 1, 0, 0)}, {{"/read", "/write"}}, 2);
  weir::node_report& write = said.nodes[1];
  write.in_own_code = std::chrono::milliseconds(12'300);
  write.in_own_code_cpu = std::chrono::milliseconds(100);
  write.thread = 77;
  EXPECT_EQ(weir::bottleneck(said),
            "/write has waited inside its own code for 12.3 s, where its thread 77 used 0.1 s of a core: "
            "see what it waits for, a lock, a file or another program");
  EXPECT_EQ(weir::bottleneck_nodes(said), std::vector<std::size_t>{1});
  write.in_own_code_cpu = std::chrono::seconds(12);
  EXPECT_EQ(weir::bottleneck(said),
            "/write is busy 100 %; /read waits for room 90 %: the last node is the limit; let /write do less "
            "for each item, or make several of it");
}

TEST(bottleneck, names_the_cores_first_if_all_are_used) {
  weir::report said =
      a_second({node("/read", 0.02, 0, 0.9), node("/work[0]", 0.99, 0, 0), node("/work[1]", 0.99, 0, 0)},
               {{"/read", "/work[0]"}, {"/read", "/work[1]"}, {"/work[0]", "/end"}, {"/work[1]", "/end"}}, 2);
  said.cpu = std::chrono::milliseconds(1950);
  EXPECT_TRUE(contains(weir::bottleneck(said), "the cores are the limit")) << weir::bottleneck(said);
  said.cpu = std::chrono::milliseconds(670);
  EXPECT_TRUE(contains(weir::bottleneck(said), "(the process got 0.67 of 2 cores: others use them"))
      << weir::bottleneck(said);
}

TEST(bottleneck, names_a_quota_that_takes_the_cores_away) {
  weir::report said =
      a_second({node("/read", 0.02, 0, 0.9), node("/work[0]", 0.99, 0, 0), node("/work[1]", 0.99, 0, 0)},
               {{"/read", "/work[0]"}, {"/read", "/work[1]"}}, 2);
  const auto words = " (a quota, cpu.max, grants the process the time of 1.50 cores)";
  said.quota = 1.5;
  for (const int used : {1950, 1500, 0}) {
    said.cpu = std::chrono::milliseconds(used);
    EXPECT_TRUE(contains(weir::bottleneck(said), words)) << weir::bottleneck(said);
    EXPECT_FALSE(contains(weir::bottleneck(said), "others use them")) << weir::bottleneck(said);
  }
  EXPECT_TRUE(contains(weir::to_json(said), "\"quota\": 1.5"));
  // A quota that is larger than the pool, and one that nodes do not use up, are not the reason.
  said.quota = 2.5;
  EXPECT_FALSE(contains(weir::bottleneck(said), "quota")) << weir::bottleneck(said);
  for (const double granted : {1.5, 2.0}) {
    said.quota = granted;
    said.cpu = std::chrono::milliseconds(670);
    EXPECT_TRUE(contains(weir::bottleneck(said), "(the process got 0.67 of 2 cores: others use them"))
        << weir::bottleneck(said);
  }
  said.quota = 1.5;
  said.cpu = std::chrono::milliseconds(1500);
  said.nodes.pop_back();
  EXPECT_FALSE(contains(weir::bottleneck(said), "quota")) << weir::bottleneck(said);
  said.quota = 0;
  EXPECT_FALSE(contains(weir::to_json(said), "quota"));
}

TEST(bottleneck, is_told_in_one_sentence) {
  EXPECT_EQ(weir::bottleneck({}), "nothing was measured");
  EXPECT_EQ(
      weir::bottleneck(a_second({node("/read", 0.05, 0, 0.91), node("/split", 0.98, 0.01, 0), node("/end", 0.1, 0, 0)},
                                {{"/read", "/split"}, {"/split", "/end"}}, 2)),
      "/split is busy 98 %; /read waits for room 91 %: make /split a farm");
  EXPECT_EQ(weir::bottleneck(a_second({node("/read", 0.2, 0, 0), node("/end", 0.1, 0, 0)}, {{"/read", "/end"}}, 2)),
            "no node is busy for more than 20 % of the time (/read): the run waits for what is outside, or is too "
            "short to tell");
  EXPECT_EQ(weir::bottleneck(a_second(
                {node("/read", 0.4, 0.2, 0), node("/work[0]", 0.75, 0.25, 0), node("/work[1]", 0.75, 0.25, 0),
                 node("/end", 0.05, 0.5, 0)},
                {{"/read", "/work[0]"}, {"/read", "/work[1]"}, {"/work[0]", "/end"}, {"/work[1]", "/end"}}, 2)),
            "all 2 workers are busy 98 %; /end is ready and finds no core 50 %: the cores are the limit; use more of "
            "them, or do "
            "less for each item, first in /work (77 % of the work)");
}

TEST(bottleneck, names_its_nodes) {
  const auto nodes = [](const weir::report& r) { return weir::bottleneck_nodes(r); };
  using positions = std::vector<std::size_t>;
  EXPECT_EQ(nodes({}), positions());
  EXPECT_EQ(nodes(a_second({node("/read", 0.2, 0, 0), node("/end", 0.1, 0, 0)}, {}, 2)), positions());
  EXPECT_EQ(
      nodes(a_second({node("/read", 0.1, 0, 0), node("/work[0]", 0.98, 0, 0), node("/work[1]", 0.9, 0, 0)}, {}, 4)),
      positions({1, 2}));
  EXPECT_EQ(
      nodes(a_second({node("/read", 0.1, 0, 0), node("/work[0]", 0.1, 0, 0), node("/work[1]", 0.9, 0, 0)}, {}, 4)),
      positions({2}));
  // The cores are the limit.
  EXPECT_EQ(nodes(a_second({node("/a", 0.3, 0.2, 0), node("/b", 0.4, 0.2, 0), node("/c", 0.28, 0.2, 0)}, {}, 1)),
            positions({1}));
}

TEST(bottleneck, is_marked_in_json) {
  const auto json = [](double busy) {
    return weir::to_json(a_second({node("/read", 0.1, 0, 0), node("/slow", busy, 0, 0), node("/end", 0, 0, 0)}, {}, 2),
                         -1);
  };
  const std::string mark = "\"bottleneck\":true";
  EXPECT_FALSE(contains(json(0.2), mark));
  const std::string marked = json(0.99);
  EXPECT_EQ(marked.find(mark), marked.rfind(mark)) << marked;
  EXPECT_LT(marked.find("\"/slow\""), marked.find(mark)) << marked;
  EXPECT_LT(marked.find(mark), marked.find("\"/end\"")) << marked;
}

}  // namespace
