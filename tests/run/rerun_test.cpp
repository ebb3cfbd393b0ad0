// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// One network run again and again: after every kind of end, with other options, with other nodes
// and widths.

#include "weir/graph/graph.hpp"

#include "counted.hpp"
#include "networks.hpp"

#include <atomic>
#include <latch>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace weir_test;

class rerun : public each_executor {};
WEIR_UNDER_EACH_EXECUTOR(rerun);

struct range {
  long count;
  long next_one = 0;

  void start() { next_one = 0; }
  std::optional<long> next() {
    if (next_one == count) return std::nullopt;
    return next_one++;
  }
};

TEST_P(rerun, each_run_is_complete_and_counted_by_itself) {
  long seen = 0;
  weir::network net = weir::source(range{5000}).named("read") |
                      weir::farm([](long item) { return item + 1; }, 3).named("work") |
                      weir::sink([&](long item) { seen += item; }).named("add");
  for (int i = 0; i != 30; ++i) {
    seen = 0;
    const weir::report made = run(net);
    EXPECT_TRUE(made.ended);
    EXPECT_EQ(seen, 5000L * 5001 / 2);
    EXPECT_EQ(made.nodes.front().sent, 5000U);
    EXPECT_EQ(made.nodes.back().items, 5000U);
    EXPECT_EQ(made.nodes[1].items + made.nodes[2].items + made.nodes[3].items, 5000U);
  }
}

TEST_P(rerun, policies_begin_anew) {
  std::vector<std::vector<long>> seen(3);
  weir::network net = weir::source(range{7}) |
                      weir::farm(weir::sink([&](long item, weir::context& at) { seen[at.index()].push_back(item); }), 3)
                          .distribute([sent = 0UL](long, std::size_t width) mutable { return sent++ % width; });
  for (int i = 0; i != 3; ++i) {
    run(net);
    EXPECT_EQ(seen, (std::vector<std::vector<long>>{{0, 3, 6}, {1, 4}, {2, 5}}));
    seen.assign(3, {});
  }
}

enum class way { whole, fail, end_early, cancel };

// Endless, unless the run must be a whole one.
struct counted_range {
  const std::atomic<way>* how;
  long made = 0;

  void start() { made = 0; }
  std::optional<counted> next() {
    if (*how == way::whole && made == 3000) return std::nullopt;
    return counted(made++);
  }
};

// A run that is cancelled, fails, or has a consumer that ends early must leave no trace in the next
// run.
TEST_P(rerun, after_every_kind_of_end) {
  census::reset();
  std::atomic<way> how{way::whole};
  std::atomic<long> seen{0};
  weir::network net = weir::source(counted_range{&how}) |
                      weir::farm([](counted item) { return item; }, 2).round_robin() | weir::sink([&](const counted&) {
                        ++seen;
                        if (how == way::fail && seen == 1500) throw std::runtime_error("no more");
                        if (how == way::end_early && seen == 1500) throw weir::stopped{};
                      });
  for (int i = 0; i != 20; ++i) {
    for (const way next : {way::fail, way::whole, way::end_early, way::whole, way::cancel, way::whole}) {
      how = next;
      seen = 0;
      weir::running now = weir::start(net, GetParam().options);
      if (next == way::cancel) {
        while (seen < 1000) std::this_thread::yield();
        now.cancel();
      }
      if (next == way::fail) {
        EXPECT_THROW(now.wait(), weir::node_error);
      } else {
        now.wait();
      }
      EXPECT_EQ(now.failure() != nullptr, next == way::fail);
      EXPECT_EQ(census::alive, 0);
      if (next == way::whole) {
        EXPECT_EQ(seen, 3000);
      }
    }
  }
}

struct halving {
  void process(long item, weir::outlet<long>& jobs, weir::outlet<long>&) { jobs.send(item); }
  void returned(long item, weir::outlet<long>& jobs, weir::outlet<long>& answers) {
    (item > 1 ? jobs : answers).send(item);
  }
};

TEST_P(rerun, of_loops_and_ordered_farms) {
  std::vector<long> seen;
  weir::network net = weir::source(range{500}) |
                      weir::feedback(halving{}, weir::farm([](long item) { return item / 2; }, 2)) |
                      weir::farm([](long item) { return item; }, 3).ordered() | into(seen);
  for (int i = 0; i != 10; ++i) {
    seen.clear();
    run(net);
    EXPECT_EQ(seen.size(), 500U);
    if (i % 3 == 2) {
      weir::running now = weir::start(net, GetParam().options);
      now.cancel();
      now.wait();
    }
  }
}

TEST_P(rerun, an_old_handle_has_no_power_over_the_next_run) {
  long seen = 0;
  weir::network net = weir::source(range{20'000}) | weir::sink([&](long) { ++seen; });
  weir::running first = weir::start(net, GetParam().options);
  const weir::report made = first.wait();
  weir::running second = weir::start(net, GetParam().options);
  first.cancel();
  first.drain();
  EXPECT_EQ(first.report_so_far().nodes.front().sent, made.nodes.front().sent);
  second.wait();
  EXPECT_EQ(seen, 40'000);
}

TEST(rerun, under_another_executor_each_time) {
  long seen = 0;
  weir::network net =
      weir::source(range{2000}) | weir::node([](long item) { return item; }) | weir::sink([&](long) { ++seen; });
  for (int i = 0; i != 3; ++i) {
    for (const under& each : executors()) weir::run(net, each.options);
    weir::run(net);
  }
  EXPECT_EQ(seen, 3 * 2000 * static_cast<long>(executors().size() + 1));
}

TEST(rerun, a_graph_changed_between_runs) {
  long seen = 0;
  weir::network net =
      weir::source(range{100}).named("read") | weir::sink([&](long) { ++seen; }).named("count").capacity(1);
  EXPECT_EQ(weir::run(net).channels.front().capacity, 1U);
  net.resolve(1).channels().front().capacity = 50;
  EXPECT_EQ(weir::run(net).channels.front().capacity, 50U);
  EXPECT_EQ(seen, 200);
}

// ---- nodes and widths changed between runs ----

template <class Call>
std::string refusal(Call&& call) {
  try {
    call();
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "nothing was refused";
}

struct offset {
  long by = 0;
  long process(long item) { return item + by; }
};

TEST_P(rerun, a_node_replaced_by_a_callable_a_class_or_a_block) {
  std::vector<long> seen;
  weir::network net = weir::source(range{3}) | weir::node(offset{}).named("stage") | into(seen);
  run(net);
  net.replace("/stage", [](long item) { return item * 2; });
  run(net);
  net.replace("/stage", offset{10});
  run(net);
  net.replace("/stage", weir::node<long, long>([](auto item) { return -item; }));
  run(net);
  net.replace("/source1", weir::source(range{1}));
  run(net);
  EXPECT_EQ(seen, (std::vector<long>{0, 1, 2, 0, 2, 4, 10, 11, 12, 0, -1, -2, 0}));
}

TEST_P(rerun, a_replacement_of_other_types_is_refused) {
  weir::network net = weir::source(range{3}) | weir::node(offset{}).named("stage") | weir::sink([](long) {});
  run(net);
  EXPECT_EQ(refusal([&] { net.replace("/stage", [](int item) { return item; }); }),
            "/stage: takes long and sends long, but its replacement takes int and sends int; give it a node of the "
            "same types");
  EXPECT_EQ(
      refusal([&] { net.replace("/stage", weir::sink([](long) {})); }),
      "/stage: takes long and sends long, but its replacement takes long and sends nothing; give it a node of the same "
      "types");
  EXPECT_EQ(refusal([&] { net.replace("/stages", offset{}); }), "/stages: is not a node of this graph");
  EXPECT_EQ(refusal([&] { net.replace("/stage", weir::node(offset{}) | weir::node(offset{})); }),
            "/stage: is one node, but its replacement is a pipeline; fuse it");
  run(net);
}

// Remembers its number in the order of creation, which shows which workers still exist.
struct worker {
  std::atomic<int>* made;
  std::map<std::string, std::vector<int>>* runs;
  std::mutex* mutex;
  int number = 0;

  void start(weir::context& at) {
    if (number == 0) number = ++*made;
    const std::lock_guard lock(*mutex);
    (*runs)[at.path()].push_back(number);
  }
  long process(long item) { return item; }
};

TEST_P(rerun, a_farm_gets_another_width_and_the_others_keep_their_state) {
  std::atomic<int> made{0};
  std::map<std::string, std::vector<int>> runs;
  std::mutex mutex;
  long seen = 0;
  weir::network net = weir::source(range{1000}) | weir::farm(worker{&made, &runs, &mutex}, 2).named("work") |
                      weir::sink([&](long) { ++seen; });
  for (const std::size_t width : {2U, 3U, 1U, 2U}) {
    net.set_width("/work", width);
    EXPECT_EQ(run(net).nodes.size(), width + 2);
  }
  EXPECT_EQ(seen, 4000);
  ASSERT_EQ(runs.size(), 3U);
  const int first = runs["/work[0]"].front();
  const int second = runs["/work[1]"].front();
  EXPECT_EQ(runs["/work[0]"], (std::vector<int>{first, first, first, first}));
  EXPECT_EQ(runs["/work[1]"], (std::vector<int>{second, second, 4}));  // destroyed in the third run
  EXPECT_EQ(runs["/work[2]"], (std::vector<int>{3}));
}

TEST(rerun, widths_of_nested_farms_and_wrong_paths) {
  const auto inner = weir::farm([](long item) { return item; }, 2);
  weir::network net = weir::source(range{10}) | weir::farm(inner, 2).named("outer") | weir::sink([](long) {});
  EXPECT_EQ(weir::run(net).nodes.size(), 6U);
  net.set_width("/outer[1]", 5);
  EXPECT_EQ(weir::run(net).nodes.size(), 9U);
  EXPECT_EQ(refusal([&] { net.set_width("/outer[2]", 1); }),
            "/outer[2]: is not a farm of this network; give the path of one");
  EXPECT_EQ(refusal([&] { net.set_width("/source1", 1); }),
            "/source1: is not a farm of this network; give the path of one");
  EXPECT_EQ(refusal([&] { net.set_width("/outer", 0); }),
            "/outer: has no workers; give it a width of at least 1, or none for one a core");
  EXPECT_EQ(refusal([&] { net.set_width("/outer", std::size_t(-1)); }),
            "/outer: has a width of 18446744073709551615; it may have at most 65536 workers");
  EXPECT_EQ(refusal([&] { static_cast<void>(weir::farm(inner, std::size_t(-2))); }),
            "farm: has a width of 18446744073709551614; it may have at most 65536 workers");
  EXPECT_EQ(weir::run(net).nodes.size(), 9U);

  weir::network fresh = weir::source(range{10}) | weir::farm(inner, 2).named("outer") | weir::sink([](long) {});
  fresh.set_width("/outer", 1);
  EXPECT_EQ(weir::run(fresh).nodes.size(), 4U);

  weir::graph g = net.resolve(1);
  weir::network untyped(std::move(g));
  EXPECT_EQ(refusal([&] { untyped.set_width("/outer", 3); }),
            "/outer: is not a farm: this network was made from a graph; change that");
}

TEST_P(rerun, a_network_has_one_run_at_a_time_and_does_not_change_meanwhile) {
  std::latch all_tried(1);
  long seen = 0;
  weir::network net = weir::source([&, first = true]() mutable -> std::optional<long> {
                        all_tried.wait();
                        return std::exchange(first, !first) ? std::optional<long>(1) : std::nullopt;
                      }) |
                      weir::farm([](long item) { return item; }, 2).named("work") | weir::sink([&](long) { ++seen; });
  weir::running now = weir::start(net, GetParam().options);
  EXPECT_EQ(refusal([&] { run(net); }),
            "this network is running already; wait for the end of that run, or make another network");
  EXPECT_EQ(refusal([&] { net.set_width("/work", 3); }),
            "set_width: this network is running; change it between two runs");
  EXPECT_EQ(refusal([&] { net.replace("/work[0]", weir::node([](long item) { return item; })); }),
            "replace: this network is running; change it between two runs");
  all_tried.count_down();
  now.wait();
  EXPECT_EQ(seen, 1);
  run(net);
  EXPECT_EQ(seen, 2);
}

TEST(rerun, a_network_that_was_moved_from_is_refused) {
  weir::network net = numbers(3) | weir::sink([](long) {});
  weir::network taken(std::move(net));
  EXPECT_EQ(refusal([&] { weir::run(net); }), "this network was moved from; it is empty");
  EXPECT_EQ(refusal([&] { net.set_width("/work", 3); }), "this network was moved from; it is empty");
  EXPECT_EQ(weir::run(taken).nodes.size(), 2U);
}

TEST(rerun, more_workers_than_a_pool_may_have_are_refused) {
  weir::network net = numbers(3) | weir::farm([](long item) { return item; }) | weir::sink([](long) {});
  for (const weir::executor each : {weir::executor::pool, weir::executor::threads}) {
    EXPECT_EQ(refusal([&] { weir::run(net, {.executor = each, .workers = 100'000}); }),
              "run_options::workers is 100000; a pool has at most 16383");
  }
  EXPECT_EQ(weir::run(net, {.workers = 2}).nodes.size(), 4U);  // they are no workers of the farm either
}

}  // namespace
