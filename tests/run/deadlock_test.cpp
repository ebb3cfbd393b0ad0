// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A run ends with an error if its nodes wait for each other, and only then.

#include "weir/serve/accelerator.hpp"

#include "networks.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using namespace weir_test;

class deadlock : public each_executor {
 protected:
  // Runs a network that never ends by itself. @return the text of the error with which it fails
  std::string failure_of(weir::network net) {
    try {
      run(net);
    } catch (const weir::node_error& problem) {
      return problem.what();
    }
    return "none";
  }
};
WEIR_UNDER_EACH_EXECUTOR(deadlock);

auto same() {
  return weir::node([](long n) { return n; }).named("same");
}

// Sends nothing for the first `count` items, and then each item `after` times.
auto late(long count, int after) {
  return weir::node([count, after, seen = 0L](long n, weir::outlet<long>& out) mutable {
           if (seen++ < count) return;
           for (int i = 0; i != after; ++i) out.send(n);
         })
      .named("late");
}

auto count_pairs(std::atomic<long>& pairs) {
  return weir::sink([&pairs](std::tuple<long, long>) { ++pairs; }).named("count");
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_P(deadlock, of_a_filter_in_front_of_zip_names_the_cycle) {
  std::atomic<long> pairs{0};
  const std::string problem = failure_of(numbers(1'000'000).named("numbers") | weir::tee(same(), late(1'000'000, 0)) |
                                         weir::zip<long, long>().named("zip") | count_pairs(pairs));
  EXPECT_TRUE(contains(problem, "no node can go on")) << problem;
  EXPECT_TRUE(contains(problem, "/numbers waits for room in the channel to ")) << problem;
  EXPECT_TRUE(contains(problem, "/zip waits for input from ")) << problem;
  EXPECT_TRUE(contains(problem, "/late (the channel is empty)")) << problem;
}

TEST_P(deadlock, of_a_zip_in_a_loop_that_keeps_an_item) {
  struct master {
    void process(long n, weir::outlet<long>& jobs, weir::outlet<long>&) { jobs.send(n); }
    void returned(long n, weir::outlet<long>&, weir::outlet<long>& answers) { answers.send(n); }
  };
  const auto sum = weir::node([](std::tuple<long, long> both) { return std::get<0>(both) + std::get<1>(both); });
  std::vector<long> seen;
  const std::string problem =
      failure_of(numbers(10) |
                 weir::feedback(master{}, weir::tee(same(), late(1, 1)) | weir::zip<long, long>().named("zip") | sum) |
                 into(seen));
  EXPECT_TRUE(contains(problem, "waits for input from ")) << problem;
  EXPECT_TRUE(contains(problem, "items lie there") || contains(problem, "is empty")) << problem;
}

// One stream is ahead by as many items as the channels on its way hold, and by no more. A producer
// that waits for half of a channel must be notified of less room.
TEST_P(deadlock, needs_all_room_to_be_used) {
  constexpr std::size_t capacity = 16;
  for (long ahead = 1; ahead <= static_cast<long>(2 * capacity) - 1; ++ahead) {
    std::atomic<long> pairs{0};
    weir::network net = numbers(1000) | weir::tee(same().capacity(capacity), late(ahead, 2)) |
                        weir::zip<long, long>().capacity(capacity) | count_pairs(pairs);
    ASSERT_NO_THROW(run(net)) << ahead;
  }
}

// A channel holds as many short strings as numbers of the same size.
TEST_P(deadlock, is_none_where_strings_have_their_room) {
  for (int round = 0; round != 5; ++round) {
    std::atomic<long> pairs{0};
    const auto in_bursts = [held = 0L](long, weir::outlet<std::string>& first,
                                       weir::outlet<std::string>& second) mutable {
      first.send("a");
      if (++held != 300) return;
      for (; held != 0; --held) second.send("b");
    };
    weir::network net = numbers(3000) | weir::node(in_bursts) | weir::zip<std::string, std::string>() |
                        weir::sink([&](std::tuple<std::string, std::string>) { ++pairs; });
    ASSERT_NO_THROW(run(net));
    EXPECT_EQ(pairs, 3000);
  }
}

/// Runs that wait for input from outside the network, or for a node that is still working, until
/// `open` is called.
class patient_runs {
 public:
  explicit patient_runs(weir::run_options options) : options_(std::move(options)) {}

  void start() {
    begin(weir::source([this, next = 0L]() mutable -> std::optional<long> {
            wait_at(next);
            if (next == 100) return std::nullopt;
            return next++;
          }) |
          weir::tee(same(), same()) | weir::zip<long, long>() | count_pairs(pairs_));
    begin(numbers(10'000) | weir::farm(same(), 3) | weir::sink([this](long n) { wait_at(n); }));
    begin(numbers(10'000) | weir::tee(same(), weir::node([this](long n) { return wait_at(n), n; })) |
          weir::zip<long, long>() | count_pairs(pairs_));
    // The nodes in front of the last one wait for each other until the last one ends.
    begin(numbers(1'000'000) |
          weir::tee(same(), weir::node([](long n) { return n == 0 ? std::optional(n) : std::nullopt; })) |
          weir::zip<long, long>() | weir::sink([this](std::tuple<long, long>) {
            wait_at(0);
            throw weir::stopped{};
          }));
    accelerator_.emplace(weir::start(weir::farm(same(), 2), options_));
    while (!accelerator_->try_send(0)) continue;
  }

  void expect_that_none_has_failed() {
    for (const weir::running& each : runs_) EXPECT_EQ(each.failure(), nullptr);
    EXPECT_FALSE(accelerator_->ended());
  }

  void open() {
    open_ = true;
    open_.notify_all();
    for (weir::running& each : runs_) EXPECT_NO_THROW(static_cast<void>(each.wait()));
    accelerator_->close();
    while (accelerator_->receive()) continue;
    EXPECT_NO_THROW(static_cast<void>(accelerator_->wait()));
  }

 private:
  void begin(weir::network net) {
    networks_.push_back(std::make_unique<weir::network>(std::move(net)));
    runs_.push_back(weir::start(*networks_.back(), options_));
  }
  void wait_at(long n) {
    if (n == 0) open_.wait(false);
  }

  const weir::run_options options_;
  std::atomic<bool> open_{false};
  std::atomic<long> pairs_{0};
  std::vector<std::unique_ptr<weir::network>> networks_;
  std::vector<weir::running> runs_;
  std::optional<weir::accelerator<long, long>> accelerator_;
};

// Lasts longer than two checks for a deadlock.
TEST(patience, is_had_with_what_waits_for_others) {
  patient_runs in_pool({.workers = 2});
  patient_runs on_threads({.executor = weir::executor::threads});
  in_pool.start();
  on_threads.start();
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  in_pool.expect_that_none_has_failed();
  on_threads.expect_that_none_has_failed();
  in_pool.open();
  on_threads.open();
}

}  // namespace
