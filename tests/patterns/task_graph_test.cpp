// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/patterns/task_graph.hpp"

#include "weir/patterns/parallel_for.hpp"
#include "weir/run/fork_join.hpp"

#include "cancelled.hpp"
#include "networks.hpp"
#include "stress.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace weir_test;
using weir::in;
using weir::inout;
using weir::out;
using weir::run_tasks;
using weir::task_graph;
using weir::task_graph_options;

class tasks_in_nodes : public each_executor {};
WEIR_UNDER_EACH_EXECUTOR(tasks_in_nodes);

TEST(task_graph, may_be_empty) {
  run_tasks([](task_graph&) {});
  run_tasks([](task_graph& tasks) { tasks.wait(); });
}

TEST(task_graph, runs_tasks_without_data_once_each) {
  std::vector<std::atomic<int>> calls(5000);
  run_tasks([&](task_graph& tasks) {
    for (auto& each : calls) tasks.add([&each] { ++each; });
  });
  for (const auto& each : calls) ASSERT_EQ(each, 1);
}

TEST(task_graph, a_reader_waits_for_its_writer_and_a_writer_for_its_readers) {
  for (int round = 0; round != 200; ++round) {
    long value = 0;
    std::atomic<long> sum{0};
    run_tasks([&](task_graph& tasks) {
      for (long i = 1; i != 20; ++i) {
        tasks.add([&, i] { value = i; }, out(value));
        for (int reader = 0; reader != 3; ++reader) tasks.add([&] { sum += value; }, in(value));
        tasks.add([&] { value += 100; }, inout(value));
        tasks.add([&] { sum += value; }, in(&value));  // the same datum, because it has the same address
      }
    });
    ASSERT_EQ(sum, 4 * 190 + 19 * 100);
  }
}

TEST(task_graph, a_datum_named_twice_is_written_if_either_says_so) {
  long value = 0;
  run_tasks([&](task_graph& tasks) {
    for (int i = 0; i != 1000; ++i) tasks.add([&] { ++value; }, in(value), out(value), in(value));
  });
  EXPECT_EQ(value, 1000);
}

// Two readers of one datum run at the same time: these two wait for each other.
TEST(task_graph, readers_run_at_the_same_time) {
  if (weir::concurrency() < 2) GTEST_SKIP() << "needs two workers";
  int value = 1;
  std::atomic<int> there{0};
  run_tasks([&](task_graph& tasks) {
    for (int i = 0; i != 2; ++i) {
      tasks.add(
          [&] {
            ++there;
            while (there != 2) std::this_thread::yield();
          },
          in(value));
    }
  });
  EXPECT_EQ(there, 2);
}

// Random programs over a few cells, whose result must be that of a run from top to bottom.
TEST(task_graph, is_as_if_run_one_after_the_other) {
  stress(40, [](unsigned seed) {
    std::mt19937 random(seed);
    constexpr std::size_t cells = 7;
    std::vector<std::uint64_t> expected(cells, seed);
    std::vector<std::uint64_t> cell = expected;
    struct step {
      std::size_t from;
      std::size_t other;
      std::size_t to;
      bool keeps;  // whether the old value is kept
    };
    std::vector<step> program(500);
    for (step& s : program) s = {random() % cells, random() % cells, random() % cells, random() % 2 == 0};
    const auto apply = [](std::vector<std::uint64_t>& on, const step& s) {
      const std::uint64_t made = on[s.from] * 6364136223846793005U + on[s.other] + 1;
      on[s.to] = s.keeps ? (on[s.to] ^ made) : made;
    };
    for (const step& s : program) apply(expected, s);
    run_tasks(
        [&](task_graph& tasks) {
          disturbance slow(seed);
          for (const step& s : program) {
            tasks.add(
                [&apply, &cell, s, pause = seed * 7919 + static_cast<unsigned>(s.from)] {
                  disturbance(pause).pause();
                  apply(cell, s);
                },
                in(cell[s.from]), in(cell[s.other]), s.keeps ? inout(cell[s.to]) : out(cell[s.to]));
            slow.pause();
            if (slow.one_in(100)) tasks.wait();
          }
        },
        {.window = 1 + random() % 50, .workers = random() % 3});
    EXPECT_EQ(cell, expected);
  });
}

TEST(task_graph, wait_returns_when_all_so_far_are_done) {
  std::atomic<int> done{0};
  run_tasks([&](task_graph& tasks) {
    for (int round = 1; round != 20; ++round) {
      for (int i = 0; i != 50; ++i) tasks.add([&] { ++done; });
      tasks.wait();
      ASSERT_EQ(done, round * 50);
    }
  });
}

TEST(task_graph, the_window_bounds_what_is_kept) {
  struct counted {
    explicit counted(std::atomic<int>& n) : alive(&n) { ++*alive; }
    counted(const counted& other) : alive(other.alive) { ++*alive; }
    ~counted() { --*alive; }
    std::atomic<int>* alive;
  };
  std::atomic<int> alive{0};
  int most = 0;
  int value = 0;
  run_tasks(
      [&](task_graph& tasks) {
        for (int i = 0; i != 20'000; ++i) {
          tasks.add([body = counted(alive), &value] { ++value; }, inout(value));
          most = std::max(most, alive.load());
        }
      },
      {.window = 10});
  EXPECT_EQ(value, 20'000);
  EXPECT_EQ(alive, 0);
  EXPECT_LE(most, 12);
}

TEST(task_graph, what_a_task_throws_comes_out_and_the_rest_is_not_begun) {
  const auto held = std::make_shared<int>(0);
  long value = 0;
  std::atomic<long> begun{0};
  EXPECT_THROW(run_tasks([&](task_graph& tasks) {
                 for (int i = 0; i != 5000; ++i) {
                   tasks.add(
                       [&, i, held] {
                         ++begun;
                         if (i == 100) throw std::out_of_range("task 100");
                       },
                       inout(value));
                 }
               }),
               std::out_of_range);
  EXPECT_EQ(begun, 101);
  EXPECT_EQ(held.use_count(), 1) << "a task that was not run is still there";
}

// This holds as well if the submitter ends at the same time because of the exception: it waits
// while another worker runs the task.
TEST(task_graph, what_a_task_throws_comes_before_its_consequences) {
  for (int round = 0; round != 3000; ++round) {
    std::atomic<bool> begun{false};
    EXPECT_THROW(run_tasks([&](task_graph& tasks) {
                   tasks.add([&] {
                     begun = true;
                     throw std::out_of_range("the first");
                   });
                   for (int looks = 0; looks != 10'000 && !begun; ++looks) std::this_thread::yield();
                   tasks.wait();
                 }),
                 std::out_of_range);
  }
}

TEST(task_graph, what_the_submitter_throws_comes_out) {
  const auto held = std::make_shared<int>(0);
  int value = 0;
  EXPECT_THROW(run_tasks([&](task_graph& tasks) {
                 for (int i = 0; i != 100; ++i) tasks.add([held] {}, inout(value));
                 throw std::runtime_error("no more");
               }),
               std::runtime_error);
  EXPECT_EQ(held.use_count(), 1);
}

TEST(task_graph, refuses_a_window_of_0_and_tasks_from_elsewhere) {
  EXPECT_THROW(run_tasks([](task_graph&) {}, {.window = 0}), std::invalid_argument);
  EXPECT_THROW(run_tasks([](task_graph& tasks) {
                 std::exception_ptr problem;
                 std::thread([&] {
                   try {
                     tasks.add([] {});
                   } catch (...) {
                     problem = std::current_exception();
                   }
                 }).join();
                 if (problem) std::rethrow_exception(problem);
               }),
               std::logic_error);
}

// Else the task would wait for itself.
TEST(task_graph, takes_nothing_from_its_tasks) {
  using act = void (*)(weir::task_graph&);
  for (const act what :
       {act([](weir::task_graph& tasks) { tasks.wait(); }), act([](weir::task_graph& tasks) { tasks.add([] {}); })}) {
    for (const std::size_t workers : {1U, 2U}) {
      for (const bool waits : {false, true}) {
        const auto misuse = [&](weir::task_graph& tasks) {
          tasks.add([&] { what(tasks); });
          if (waits) tasks.wait();
        };
        EXPECT_THROW(run_tasks(misuse, {.workers = workers}), std::logic_error) << workers << waits;
      }
    }
  }
}

TEST(task_graph, a_stop_request_ends_it) {
  std::stop_source stop;
  std::atomic<long> begun{0};
  EXPECT_THROW(run_tasks(
                   [&](task_graph& tasks) {
                     for (;;) {
                       tasks.add([&] {
                         if (++begun == 1000) stop.request_stop();
                       });
                     }
                   },
                   {.window = 100, .stop = stop.get_token()}),
               weir::stopped);
}

TEST(task_graph, contains_loops) {
  std::vector<long> sums(10);
  std::atomic<long> all{0};
  run_tasks([&](task_graph& tasks) {
    for (long& sum : sums) {
      tasks.add(
          [&] {
            std::atomic<long> counted{0};
            weir::parallel_for(0, 100, [&](int i) { counted += i; });
            sum = counted;
          },
          out(sum));
      tasks.add([&] { all += sum; }, in(sum));
    }
  });
  EXPECT_EQ(all, 49'500);
}

TEST_P(tasks_in_nodes, work) {
  long sum = 0;
  run(numbers(50) |
      weir::farm(
          [](long item) {
            long value = item;
            run_tasks([&](task_graph& tasks) {
              for (int i = 0; i != 20; ++i) tasks.add([&] { ++value; }, inout(value));
            });
            return value;
          },
          3) |
      weir::sink([&](long item) { sum += item; }));
  EXPECT_EQ(sum, 50 * 20 + 1225);
}

TEST_P(tasks_in_nodes, end_when_the_run_is_cancelled) {
  EXPECT_TRUE(is_stopped_when_cancelled(GetParam().options, [](std::atomic<bool>& inside) {
    run_tasks([&](task_graph& tasks) {
      for (;;) tasks.add([&] { inside = true; });
    });
  }));
}

}  // namespace
