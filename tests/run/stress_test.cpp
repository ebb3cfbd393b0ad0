// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Random graphs of nodes that pause at random, ended in every way at random moments. See `stress`
// for the environment variables. If a wake-up is lost, the test hangs.

#include "weir/graph/graph.hpp"

#include "networks.hpp"
#include "random_graph.hpp"

#include <chrono>
#include <thread>

namespace {

using namespace weir_test;
using namespace std::chrono_literals;

std::vector<under> more_executors() {
  std::vector<under> all = executors();
  all.push_back({"more_workers_than_cores", {.executor = weir::executor::pool, .workers = 4}});
  all.push_back({"the_shared_pool", {}});
  return all;
}

class run_stress : public testing::TestWithParam<under> {};
INSTANTIATE_TEST_SUITE_P(under, run_stress, testing::ValuesIn(more_executors()), executor_name);

// However the run ended: no item overtook another on a channel, and no item is left.
void expect_tidy(const ledger& book) {
  EXPECT_EQ(book.disorders, 0);
  EXPECT_EQ(book.alive, 0);
}

// Every item sent was used; every node started and finished once.
void expect_complete(const ledger& book, std::size_t nodes) {
  expect_tidy(book);
  EXPECT_EQ(book.made, book.used);
  EXPECT_EQ(book.starts, static_cast<int>(nodes));
  EXPECT_EQ(book.finishes, static_cast<int>(nodes));
}

void run_to_the_end(unsigned seed, const weir::run_options& options, int times) {
  ledger book;
  weir::network net(random_graph(book, seed, {}));
  for (; times != 0; --times) {
    book.reset();
    const weir::report report = weir::run(net, options);
    EXPECT_GT(book.made, 0);
    expect_complete(book, report.nodes.size());
  }
}

TEST_P(run_stress, runs_to_the_end_again_and_again) {
  stress(20, [](unsigned seed) { run_to_the_end(seed, GetParam().options, 3); });
}

void wait_a_while(disturbance& disturb) {
  if (disturb.one_in(4)) return;
  std::this_thread::sleep_for(std::chrono::microseconds(disturb.below(3000)));
}

// The run is cancelled or drained from another thread at any moment, also before anything has
// started or after all has ended.
TEST_P(run_stress, is_cancelled_at_any_moment) {
  stress(40, [](unsigned seed) {
    ledger book;
    disturbance disturb(seed);
    weir::network net(random_graph(book, seed, {.endless = !disturb.one_in(3)}));
    for (int time = 0; time != 2; ++time) {
      book.reset();
      weir::running now = weir::start(net, GetParam().options);
      std::jthread other([&] {
        wait_a_while(disturb);
        now.cancel();
      });
      now.wait();
      other.join();
      EXPECT_EQ(book.disorders, 0);
    }
    expect_tidy(book);
  });
}

TEST_P(run_stress, is_drained_at_any_moment) {
  stress(15, [](unsigned seed) {
    ledger book;
    disturbance disturb(seed);
    weir::network net(random_graph(book, seed, {.endless = true}));
    for (int time = 0; time != 2; ++time) {
      book.reset();
      {
        weir::running now = weir::start(net, GetParam().options);
        std::jthread other([&] {
          wait_a_while(disturb);
          now.drain();
        });
        now.wait();
      }
      expect_complete(book, net.resolve(1).nodes().size());
    }
  });
}

TEST_P(run_stress, is_drained_and_cancelled_by_several_at_once) {
  stress(20, [](unsigned seed) {
    ledger book;
    weir::network net(random_graph(book, seed, {.endless = true}));
    std::stop_source stop;
    weir::run_options options = GetParam().options;
    options.stop = stop.get_token();
    {
      weir::running now = weir::start(net, options);
      std::vector<std::jthread> others;
      for (unsigned i = 0; i != 3; ++i) {
        others.emplace_back([&, i] {
          disturbance disturb(seed * 3 + i);
          wait_a_while(disturb);
          if (i == 0) now.drain();
          if (i == 1) now.cancel();
          if (i == 2) stop.request_stop();
        });
      }
      now.wait();
    }
    expect_tidy(book);
  });
}

TEST_P(run_stress, nodes_that_throw) {
  stress(40, [](unsigned seed) {
    ledger book;
    weir::network net(random_graph(book, seed, {.some_fail = true}));
    for (int time = 0; time != 2; ++time) {
      book.reset();
      try {
        const weir::report report = weir::run(net, GetParam().options);
        EXPECT_EQ(book.thrown, 0);
        expect_complete(book, report.nodes.size());
      } catch (const weir::node_error& error) {
        EXPECT_GT(book.thrown, 0);
        EXPECT_THROW(std::rethrow_if_nested(error), node_failure);
        EXPECT_NO_THROW(net.resolve(1).find(error.path()));
        expect_tidy(book);
      }
    }
  });
}

TEST_P(run_stress, nodes_that_end_early) {
  stress(100, [](unsigned seed) {
    ledger book;
    weir::network net(random_graph(book, seed, {.some_end = true}));
    for (int time = 0; time != 2; ++time) {
      book.reset();
      const weir::report report = weir::run(net, GetParam().options);
      expect_tidy(book);
      EXPECT_EQ(book.starts, static_cast<int>(report.nodes.size()));
      EXPECT_EQ(book.finishes, static_cast<int>(report.nodes.size()));
    }
  });
}

TEST_P(run_stress, nodes_that_end_and_throw_while_the_run_is_cancelled) {
  stress(30, [](unsigned seed) {
    ledger book;
    disturbance disturb(seed);
    weir::network net(random_graph(book, seed, {.some_fail = true, .some_end = true}));
    {
      weir::running now = weir::start(net, GetParam().options);
      std::jthread other([&] {
        wait_a_while(disturb);
        now.cancel();
      });
      try {
        now.wait();
      } catch (const weir::node_error&) {
        EXPECT_GT(book.thrown, 0);
      }
    }
    expect_tidy(book);
  });
}

TEST_P(run_stress, several_networks_at_once) {
  stress(6, [](unsigned seed) {
    std::vector<std::jthread> callers;
    for (unsigned i = 0; i != 4; ++i) {
      callers.emplace_back([seed, i] { run_to_the_end(seed * 4 + i, GetParam().options, 2); });
    }
  });
}

}  // namespace
