// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Nodes with a deadline: they are woken at a time that they choose, while no items arrive.

#include "weir/blocks/fuse.hpp"

#include "networks.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <future>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace weir_test;
using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;

class deadlines : public each_executor {};
WEIR_UNDER_EACH_EXECUTOR(deadlines);

// Makes batches of `most` items, or of the items that came within `wait` after the first.
struct batcher {
  std::size_t most;
  std::chrono::nanoseconds wait;
  std::vector<long> batch{};
  steady::time_point due = steady::time_point::max();

  void process(long n, weir::outlet<std::vector<long>>& out) {
    if (batch.empty()) due = steady::now() + wait;
    batch.push_back(n);
    if (batch.size() == most) send(out);
  }
  steady::time_point deadline() const { return due; }
  void on_deadline(weir::outlet<std::vector<long>>& out) { send(out); }
  void finish(weir::outlet<std::vector<long>>& out) {
    if (!batch.empty()) send(out);
  }

 private:
  void send(weir::outlet<std::vector<long>>& out) {
    out.send(std::exchange(batch, {}));
    due = steady::time_point::max();
  }
};

// Sends `first` numbers, and then waits until as many have arrived at the network's end.
struct patient_source {
  long first;
  std::shared_ptr<std::promise<void>> arrived = std::make_shared<std::promise<void>>();

  auto block() const {
    return weir::source([*this](weir::outlet<long>& out) {
      for (long i = 0; i != first; ++i) out.send(i);
      arrived->get_future().wait();
    });
  }
  auto arrivals() const {
    return [*this, left = first](long count) mutable {
      if (left > 0 && (left -= count) <= 0) arrived->set_value();
    };
  }
};

TEST_P(deadlines, come_while_the_source_is_quiet) {
  const patient_source source{.first = 7};
  std::vector<std::size_t> sizes;
  run(source.block() | batcher{5, 2ms} | weir::sink([&, arrivals = source.arrivals()](std::vector<long> batch) mutable {
        sizes.push_back(batch.size());
        arrivals(static_cast<long>(batch.size()));
      }));
  EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}), 7u);
}

TEST_P(deadlines, come_in_each_worker_of_a_farm) {
  for (const bool ordered : {false, true}) {
    const patient_source source{.first = 5};
    auto farm = weir::farm(batcher{100, 1ms}, 3);
    if (ordered) farm = farm.ordered();
    long sum = 0;
    run(source.block() | farm | weir::sink([&, arrivals = source.arrivals()](std::vector<long> batch) mutable {
          for (const long n : batch) sum += n;
          arrivals(static_cast<long>(batch.size()));
        }));
    EXPECT_EQ(sum, 10);
  }
}

// Holds one number for some time.
struct holder {
  std::chrono::nanoseconds wait;
  std::vector<long>* held;  // shared by all holders: their waits, in the order in which they released their numbers
  std::optional<long> number{};
  steady::time_point due = steady::time_point::max();

  void process(long n, weir::outlet<long>& out) {
    if (number) out.send(*std::exchange(number, std::nullopt));
    number = n;
    due = steady::now() + wait;
  }
  steady::time_point deadline() const { return due; }
  void on_deadline(weir::outlet<long>& out) {
    held->push_back(wait.count());
    due = steady::time_point::max();
    out.send(*std::exchange(number, std::nullopt));
  }
};

TEST_P(deadlines, of_fused_nodes_come_one_after_the_other) {
  const patient_source source{.first = 1};
  std::vector<long> held;
  std::vector<long> got;
  run(source.block() | weir::fuse(holder{2ms, &held}, holder{1ms, &held}) |
      weir::sink([&, arrivals = source.arrivals()](long n) mutable {
        got.push_back(n);
        arrivals(1);
      }));
  EXPECT_EQ(got, (std::vector<long>{0}));
  EXPECT_EQ(held, (std::vector<long>{2'000'000, 1'000'000}));
}

// The alarm is set for the first deadline; the deadline then moves to and fro.
struct mover {
  steady::time_point due = steady::time_point::max();
  int calls = 0;

  void process(long, weir::outlet<long>&) { due = steady::now() + 1ms; }
  steady::time_point deadline() const { return due; }
  void on_deadline(weir::outlet<long>& out) {
    EXPECT_LE(due, steady::now());
    due += ++calls % 2 == 0 ? 2ms : 500us;
    if (calls < 5) return;
    due = steady::time_point::max();
    out.send(calls);
  }
};

TEST_P(deadlines, that_move_are_kept) {
  const patient_source source{.first = 1};
  std::vector<long> got;
  run(source.block() | mover{} | weir::sink([&, arrivals = source.arrivals()](long n) mutable {
        got.push_back(n);
        arrivals(1);
      }));
  EXPECT_EQ(got, (std::vector<long>{5}));
}

TEST_P(deadlines, in_a_loop_are_an_error) {
  struct late_worker {
    long process(long n) { return n; }
    steady::time_point deadline() const { return steady::now() + 1h; }
    void on_deadline() {}
  };
  struct master {
    void process(long n, weir::outlet<long>& jobs, weir::outlet<long>&) { jobs.send(n); }
    void returned(long n, weir::outlet<long>&, weir::outlet<long>& answers) { answers.send(n); }
  };
  try {
    run(numbers(10) | weir::feedback(master{}, weir::node(late_worker{}).named("late")).named("loop") |
        weir::sink([](long) {}));
    FAIL() << "it ended";
  } catch (const weir::node_error& problem) {
    EXPECT_EQ(std::string(problem.what()),
              "/loop/late: a node in a loop can't have a deadline; put it before or behind the loop");
  }
}

// All nodes wait for each other, except this one, which goes on by itself at its deadline.
struct keeper {
  std::vector<long> kept{};
  bool is_over = false;
  steady::time_point due = steady::time_point::max();

  void process(long n, weir::outlet<long>& out) {
    if (is_over) return out.send(n);
    if (kept.empty()) due = steady::now() + 1s;  // longer than the search for a deadlock takes
    kept.push_back(n);
  }
  steady::time_point deadline() const { return due; }
  void on_deadline(weir::outlet<long>& out) {
    due = steady::time_point::max();
    is_over = true;
    for (const long n : kept) out.send(n);
  }
};

TEST(deadline, is_awaited_by_nodes_that_wait_for_each_other) {
  long sum = 0;
  weir::run(numbers(10'000) | weir::tee(weir::node([](long n) { return n; }), weir::node(keeper{})) |
            weir::zip<long, long>() | weir::sink([&](std::tuple<long, long> both) { sum += std::get<1>(both); }));
  EXPECT_EQ(sum, 49'995'000);
}

// Has a deadline beyond the end of the test. Sets `has_slept` when it waits with that deadline.
struct sleeper {
  std::atomic<bool>* has_slept;
  int calls = 0;
  steady::time_point due = steady::time_point::max();

  void process(long n, weir::outlet<long>& out) {
    if (n == 0) due = steady::now();
    out.send(n);
  }
  steady::time_point deadline() const { return due; }
  void on_deadline(weir::outlet<long>&) {
    due = steady::now() + (++calls < 3 ? 1ms : std::chrono::milliseconds(1h));
    if (calls == 3) *has_slept = true;
  }
};

// The node with the deadline waits for room by now, so its deadline can't end the deadlock.
TEST_P(deadlines, do_not_hide_that_nodes_wait_for_each_other) {
  std::atomic<bool> has_slept{false};
  try {
    run(weir::source([&has_slept, next = 0L]() mutable -> std::optional<long> {
          while (next == 1 && !has_slept) std::this_thread::sleep_for(1ms);
          if (next == 1) std::this_thread::sleep_for(20ms);  // so that the sleeper waits again, with its last deadline
          return next++;
        }) |
        weir::tee(sleeper{&has_slept}, weir::node([](long) { return std::optional<long>(); })) |
        weir::zip<long, long>() | weir::sink([](std::tuple<long, long>) {}));
    FAIL() << "it ended";
  } catch (const weir::node_error& problem) {
    EXPECT_NE(std::string(problem.what()).find("no node can go on"), std::string::npos) << problem.what();
  }
}

TEST_P(deadlines, what_on_deadline_throws_names_the_node) {
  struct breaks {
    void process(long) {}
    steady::time_point deadline() const { return steady::time_point{}; }
    void on_deadline() { throw std::runtime_error("too late"); }
  };
  try {
    run(numbers(1000) | weir::sink(breaks{}).named("breaks"));
    FAIL() << "it ended";
  } catch (const weir::node_error& problem) {
    EXPECT_EQ(std::string(problem.what()), "/breaks: too late");
  }
}

// Alarms that go off while items arrive, and runs that end while alarms are set.
TEST_P(deadlines, race_with_items) {
  for (int round = 0; round != 30; ++round) {
    std::mt19937 random(static_cast<unsigned>(round));
    const long count = 2000 + static_cast<long>(random() % 2000);
    const std::chrono::nanoseconds wait(random() % 20'000);
    std::vector<long> got;
    run(numbers(count) | weir::node([pause = random() % 64](long n) {
          if (static_cast<unsigned long>(n) % 64 == pause) {
            const auto until = steady::now() + 20us;
            while (steady::now() < until) continue;
          }
          return n;
        }) |
        batcher{8, wait} |
        weir::sink([&](std::vector<long> batch) { got.insert(got.end(), batch.begin(), batch.end()); }));
    std::vector<long> expected(static_cast<std::size_t>(count));
    std::iota(expected.begin(), expected.end(), 0L);
    ASSERT_EQ(got, expected);
  }
}

}  // namespace
