// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Programs on the untyped builder alone, in FastFlow's style: the features of the library that a
// front end for FastFlow programs needs.

#include "weir/graph/graph.hpp"
#include "weir/graph/policy.hpp"
#include "weir/io/from.hpp"
#include "weir/run/run.hpp"

#include "word_nodes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <semaphore>
#include <utility>
#include <vector>

namespace {

using namespace weir::testing;
using weir::distribution;
using weir::graph;
using weir::network;
using weir::node_id;

constexpr int repetitions = 20;

using numbers = std::vector<std::uintptr_t>;

numbers from_1_to(std::uintptr_t last) {
  numbers made(last);
  std::iota(made.begin(), made.end(), 1);
  return made;
}

numbers sorted(numbers all) {
  std::sort(all.begin(), all.end());
  return all;
}

std::uintptr_t sum(const numbers& all) { return std::accumulate(all.begin(), all.end(), std::uintptr_t{0}); }

// A source that is called again and again, and returns 1, 2, …, last.
word_function::body count_to(std::uintptr_t last) {
  return [last, next = std::uintptr_t{0}](word_node&, word) mutable { return next == last ? eos : word_of(++next); };
}

// Records all items that it takes.
word_function::body collect_in(numbers& all) {
  return [&all](word_node&, word item) {
    all.push_back(number_of(item));
    return go_on;
  };
}

word_function::body pass_on() {
  return [](word_node&, word item) { return item; };
}

class untyped : public ::testing::TestWithParam<weir::executor> {
 protected:
  weir::report run(network& net) {
    weir::run_options options;
    options.executor = GetParam();
    options.workers = 2;
    return weir::run(net, options);
  }
  weir::report run(graph g) {
    network net(std::move(g));
    return run(net);
  }
};

INSTANTIATE_TEST_SUITE_P(executors, untyped, ::testing::Values(weir::executor::pool, weir::executor::threads),
                         [](const auto& each) { return each.param == weir::executor::pool ? "pool" : "threads"; });

TEST_P(untyped, source_called_once_sends_everything) {
  for (int i = 0; i != repetitions; ++i) {
    constexpr std::uintptr_t last = 20'000;  // more than a channel and the spill hold
    int calls = 0;
    numbers got;
    graph g;
    const node_id source = add_word_node(g, {"source", 0, 1}, [&](word_node& self, word item) {
      EXPECT_EQ(item, nullptr);
      ++calls;
      for (std::uintptr_t n = 1; n <= last; ++n) self.send(word_of(n));
      return eos;
    });
    const node_id sink = add_word_node(g, {"sink", 1, 0}, collect_in(got));
    g.connect(source, 0, sink, 0);
    run(std::move(g));
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(got, from_1_to(last));
  }
}

// Counts the items that pass, and sends the count when its input has ended.
class counting final : public word_node {
 public:
  word svc(word item) override {
    ++count_;
    return word_of(number_of(item) + 1);
  }
  void svc_init() override { ++inits; }
  void eosnotify(std::size_t) override { send(word_of(count_)); }
  void svc_end() override { ++ends; }
  int inits = 0;
  int ends = 0;

 private:
  std::uintptr_t count_ = 0;
};

TEST_P(untyped, pipeline_keeps_order_and_sends_at_the_end) {
  for (int i = 0; i != repetitions; ++i) {
    constexpr std::uintptr_t last = 3000;
    numbers got;
    graph g;
    node_id before = add_word_node(g, {"source", 0, 1}, count_to(last));
    std::vector<node_id> stages;
    for (int stage = 0; stage != 3; ++stage) {
      stages.push_back(add_word_node(g, {"stage"}, std::make_unique<counting>()));
      g.connect(before, 0, stages.back(), 0);
      before = stages.back();
    }
    g.connect(before, 0, add_word_node(g, {"sink", 1, 0}, collect_in(got)), 0);
    network net(std::move(g));
    run(net);
    numbers wanted;
    for (std::uintptr_t n = 1; n <= last; ++n) wanted.push_back(n + 3);
    wanted.insert(wanted.end(), {last + 2, last + 1 + 1, last + 2});
    EXPECT_EQ(got, wanted);
    for (const node_id id : stages) {
      EXPECT_EQ(dynamic_cast<counting&>(net.instance(id)).inits, 1);
      EXPECT_EQ(dynamic_cast<counting&>(net.instance(id)).ends, 1);
    }
  }
}

// Never ends by itself.
class endless final : public word_node {
 public:
  word svc(word) override { return word_of(++sent_); }
  void svc_end() override { ended = true; }
  bool ended = false;

 private:
  std::uintptr_t sent_ = 0;
};

TEST_P(untyped, early_end_discards_the_rest_and_ends_the_producers) {
  for (int i = 0; i != repetitions; ++i) {
    numbers got;
    graph g;
    const node_id source = add_word_node(g, {"source", 0, 1}, std::make_unique<endless>());
    const node_id stage = add_word_node(g, {"stage"}, pass_on());
    const node_id sink = add_word_node(g, {"sink", 1, 0}, [&](word_node&, word item) {
      got.push_back(number_of(item));
      return got.size() == 100 ? eos : go_on;
    });
    g.connect(source, 0, stage, 0);
    g.connect(stage, 0, sink, 0);
    network net(std::move(g));
    run(net);
    EXPECT_EQ(got, from_1_to(100));
    EXPECT_TRUE(dynamic_cast<endless&>(net.instance(source)).ended);
  }
}

TEST_P(untyped, one_producer_of_several_notices_the_end_of_its_consumer) {
  for (int i = 0; i != repetitions; ++i) {
    graph g;
    std::vector<node_id> sources;
    std::size_t taken = 0;
    for (int s = 0; s != 3; ++s) sources.push_back(add_word_node(g, {"source", 0, 1}, std::make_unique<endless>()));
    const node_id sink =
        add_word_node(g, {"sink", 1, 0}, [&](word_node&, word) { return ++taken == 500 ? eos : go_on; });
    for (const node_id source : sources) g.connect(source, 0, sink, 0);
    network net(std::move(g));
    run(net);
    EXPECT_EQ(taken, 500U);
    for (const node_id source : sources) EXPECT_TRUE(dynamic_cast<endless&>(net.instance(source)).ended);
  }
}

// An emitter, `width` workers and a collector, connected by hand.
struct hand_made_farm {
  graph g;
  node_id emitter;
  std::vector<node_id> workers;
  node_id collector;
};

hand_made_farm farm_of(std::size_t width, word_function::body emitter, const word_function::body& worker,
                       word_function::body collector, weir::policy rule) {
  hand_made_farm made;
  made.emitter = add_word_node(made.g, {"emitter", 0, 1}, std::move(emitter));
  for (std::size_t i = 0; i != width; ++i) {
    made.workers.push_back(add_word_node(made.g, {"worker", 1, 1, i, width}, worker));
    made.g.connect(made.emitter, 0, made.workers.back(), 0);
  }
  made.collector = add_word_node(made.g, {"collector", 1, 0}, std::move(collector));
  for (const node_id each : made.workers) made.g.connect(each, 0, made.collector, 0);
  made.g.set_policy(made.emitter, 0, std::move(rule));
  return made;
}

TEST_P(untyped, farm_round_robin) {
  for (int i = 0; i != repetitions; ++i) {
    constexpr std::uintptr_t last = 3000;
    std::vector<numbers> by_worker(3);
    auto made = farm_of(3, count_to(last), pass_on(),
                        [&](word_node& self, word item) {
                          by_worker[self.from()].push_back(number_of(item));
                          return go_on;
                        },
                        {distribution::round_robin, 1, {}});
    run(std::move(made.g));
    for (std::size_t w = 0; w != 3; ++w) {
      ASSERT_EQ(by_worker[w].size(), last / 3);
      for (std::size_t n = 0; n != by_worker[w].size(); ++n) EXPECT_EQ(by_worker[w][n], 3 * n + w + 1);
    }
  }
}

TEST_P(untyped, emitter_sends_to_a_chosen_worker_and_to_all) {
  for (int i = 0; i != repetitions; ++i) {
    constexpr std::uintptr_t last = 1000;
    constexpr std::uintptr_t to_all = 1'000'000;
    std::vector<numbers> by_worker(3);
    auto made = farm_of(
        3,
        [next = std::uintptr_t{0}](word_node& self, word) mutable {
          EXPECT_EQ(self.outs(), 3U);
          if (next == last) {
            self.broadcast(word_of(to_all));
            return eos;
          }
          ++next;
          self.send_to(next % 7 % 3, word_of(next));
          return go_on;
        },
        [](word_node& self, word item) { return number_of(item) == to_all ? word_of(to_all + self.id()) : item; },
        [&](word_node& self, word item) {
          by_worker[self.from()].push_back(number_of(item));
          return go_on;
        },
        {});
    run(std::move(made.g));
    for (std::size_t w = 0; w != 3; ++w) {
      numbers wanted;
      for (std::uintptr_t n = 1; n <= last; ++n) {
        if (n % 7 % 3 == w) wanted.push_back(n);
      }
      wanted.push_back(to_all + w);
      EXPECT_EQ(by_worker[w], wanted);
    }
  }
}

TEST_P(untyped, broadcast_policy_reaches_every_worker) {
  for (int i = 0; i != repetitions; ++i) {
    constexpr std::uintptr_t last = 1000;
    std::vector<numbers> by_worker(3);
    auto made = farm_of(3, count_to(last), pass_on(),
                        [&](word_node& self, word item) {
                          by_worker[self.from()].push_back(number_of(item));
                          return go_on;
                        },
                        {distribution::broadcast, 1, {}});
    run(std::move(made.g));
    for (const numbers& got : by_worker) EXPECT_EQ(got, from_1_to(last));
  }
}

// The first worker holds its first item until the others have done everything else, so nothing else
// was assigned to the first one.
TEST_P(untyped, farm_on_demand_assigns_one_item_at_a_time) {
  for (int i = 0; i != repetitions; ++i) {
    constexpr std::uintptr_t last = 300;
    std::binary_semaphore others_done{0};
    numbers got;
    std::size_t of_first = 0;
    auto made = farm_of(
        3, count_to(last),
        [&others_done](word_node& self, word item) {
          if (self.id() == 0) others_done.acquire();
          return item;
        },
        [&](word_node& self, word item) {
          got.push_back(number_of(item));
          if (self.from() == 0) ++of_first;
          if (got.size() == last - 1) others_done.release();
          return go_on;
        },
        {distribution::on_demand, 1, {}});
    made.g.nodes()[made.workers[0]].traits.blocking = true;
    run(std::move(made.g));
    EXPECT_EQ(of_first, 1U);
    EXPECT_EQ(sorted(got), from_1_to(last));
  }
}

// Records the items of each channel, and which channels have ended.
class listening final : public word_node {
 public:
  explicit listening(std::size_t channels) : got(channels), ends(channels, 0) {}
  word svc(word item) override {
    EXPECT_EQ(ends[from()], 0) << "an item after the end of its channel";
    got[from()].push_back(number_of(item));
    return go_on;
  }
  void eosnotify(std::size_t channel) override { ++ends[channel]; }

  std::vector<numbers> got;
  std::vector<int> ends;
};

TEST_P(untyped, multi_input_knows_the_channel_and_its_end) {
  for (int i = 0; i != repetitions; ++i) {
    graph g;
    std::vector<node_id> sources;
    for (std::uintptr_t s = 0; s != 3; ++s) {
      sources.push_back(add_word_node(g, {"source", 0, 1}, count_to(400 * (s + 1))));
    }
    const node_id sink = add_word_node(g, {"sink", 1, 0}, std::make_unique<listening>(3));
    for (const node_id source : sources) g.connect(source, 0, sink, 0);
    network net(std::move(g));
    run(net);
    const auto& heard = dynamic_cast<const listening&>(net.instance(sink));
    for (std::size_t s = 0; s != 3; ++s) EXPECT_EQ(heard.got[s], from_1_to(400 * (s + 1)));
    EXPECT_EQ(heard.ends, (std::vector<int>{1, 1, 1}));
  }
}

// A master with `width` workers that answer through unbounded channels.
graph master_and_workers(std::size_t width, word_function::body master, const word_function::body& worker) {
  graph g;
  auto head = std::make_unique<word_function>(std::move(master));
  head->called_first();
  const node_id first = add_word_node(g, {"master"}, std::move(head));
  for (std::size_t i = 0; i != width; ++i) {
    const node_id each = add_word_node(g, {"worker", 1, 1, i, width}, worker);
    g.connect(first, 0, each, 0);
    g.connect_unbounded(each, 0, first, 0);
  }
  return g;
}

TEST_P(untyped, master_ends_the_loop_when_all_results_are_in) {
  for (int i = 0; i != repetitions; ++i) {
    constexpr std::uintptr_t last = 2000;
    numbers results;
    run(master_and_workers(
        3,
        [&](word_node& self, word item) {
          if (item == nullptr) {
            for (std::uintptr_t n = 1; n <= last; ++n) self.send(word_of(n));
            return go_on;
          }
          results.push_back(number_of(item));
          return results.size() == last ? eos : go_on;
        },
        [](word_node&, word item) { return word_of(number_of(item) * 2); }));
    EXPECT_EQ(results.size(), last);
    EXPECT_EQ(sum(results), last * (last + 1));
  }
}

TEST_P(untyped, master_ends_the_loop_while_items_are_in_it) {
  for (int i = 0; i != repetitions; ++i) {
    std::size_t results = 0;
    run(master_and_workers(
        3,
        [&](word_node& self, word item) {
          if (item == nullptr) {
            for (std::uintptr_t n = 1; n <= 30; ++n) self.send(word_of(n));
            return go_on;
          }
          return ++results == 1000 ? eos : item;  // 29 items still go round
        },
        pass_on()));
    EXPECT_EQ(results, 1000U);
  }
}

TEST_P(untyped, all_to_all_with_a_consumer_for_each_item) {
  for (int i = 0; i != repetitions; ++i) {
    constexpr std::size_t lefts = 3;
    constexpr std::size_t rights = 4;
    constexpr std::uintptr_t last = 1000;
    graph g;
    std::vector<node_id> left;
    std::vector<node_id> right;
    for (std::size_t l = 0; l != lefts; ++l) {
      word_function::body share = [next = std::uintptr_t{0}](word_node& self, word) mutable {
        if (next == last) return eos;
        ++next;
        self.send_to((next + self.id()) % rights, word_of(next));
        return go_on;
      };
      left.push_back(add_word_node(g, {"left", 0, 1, l, lefts}, std::move(share)));
    }
    for (std::size_t r = 0; r != rights; ++r) {
      right.push_back(add_word_node(g, {"right", 1, 0, r, rights}, std::make_unique<listening>(lefts)));
    }
    for (const node_id l : left) {
      for (const node_id r : right) g.connect(l, 0, r, 0);
    }
    network net(std::move(g));
    run(net);
    for (std::size_t r = 0; r != rights; ++r) {
      const auto& heard = dynamic_cast<const listening&>(net.instance(right[r]));
      for (std::size_t l = 0; l != lefts; ++l) {
        numbers wanted;
        for (std::uintptr_t n = 1; n <= last; ++n) {
          if ((n + l) % rights == r) wanted.push_back(n);
        }
        EXPECT_EQ(heard.got[l], wanted);
      }
    }
  }
}

TEST_P(untyped, ring_passes_a_token_round) {
  for (int i = 0; i != repetitions; ++i) {
    constexpr std::size_t size = 5;
    constexpr std::uintptr_t laps = 100;
    numbers visits(size, 0);
    graph g;
    std::vector<node_id> ring;
    for (std::size_t n = 0; n != size; ++n) {
      auto node = std::make_unique<word_function>([&visits, first = n == 0](word_node& self, word item) {
        if (item == nullptr) return first ? word_of(size * laps) : go_on;
        ++visits[self.id()];
        return number_of(item) == 1 ? eos : word_of(number_of(item) - 1);
      });
      node->called_first();
      ring.push_back(add_word_node(g, {"node", 1, 1, n, size}, std::move(node)));
    }
    for (std::size_t n = 0; n != size; ++n) g.connect_unbounded(ring[n], 0, ring[(n + 1) % size], 0);
    run(std::move(g));
    EXPECT_EQ(visits, numbers(size, laps));
  }
}

// Sums its row, then its column. Each node sends its value to the right and passes on the values
// that arrive from the left; the row's sum then goes down in the same way. So every node ends with
// the sum of all values.
class torus_node final : public word_node {
 public:
  torus_node(std::uintptr_t value, std::size_t columns, std::size_t rows)
      : value_(value), columns_(columns), rows_(rows) {}

  word svc(word item) override {
    if (item == nullptr) {
      row_ = value_;
      send_to(right, word_of(value_));
      return go_on;
    }
    if (from() == right) {
      row_ += number_of(item);
      ++from_row_;
      if (from_row_ != columns_ - 1) {
        send_to(right, item);
      } else {
        column_ += row_;
        send_to(down, word_of(row_));
        for (const word early : std::exchange(early_, {})) pass_down(early);
      }
    } else if (from_row_ == columns_ - 1) {
      pass_down(item);
    } else {
      early_.push_back(item);
    }
    return from_row_ == columns_ - 1 && from_column_ == rows_ - 1 ? eos : go_on;
  }

  std::uintptr_t sum() const { return column_; }

 private:
  void pass_down(word item) {
    column_ += number_of(item);
    if (++from_column_ != rows_ - 1) send_to(down, item);
  }

  static constexpr std::size_t right = 0;
  static constexpr std::size_t down = 1;
  const std::uintptr_t value_;
  const std::size_t columns_;
  const std::size_t rows_;
  std::uintptr_t row_ = 0;
  std::uintptr_t column_ = 0;
  std::vector<word> early_;  // values that came down before this row was summed
  std::size_t from_row_ = 0;
  std::size_t from_column_ = 0;
};

TEST_P(untyped, torus_reduces_rows_and_columns) {
  for (int i = 0; i != repetitions; ++i) {
    constexpr std::size_t columns = 4;
    constexpr std::size_t rows = 3;
    graph g;
    std::vector<node_id> nodes;
    for (std::size_t n = 0; n != columns * rows; ++n) {
      auto node = std::make_unique<torus_node>(n + 1, columns, rows);
      node->called_first();
      nodes.push_back(add_word_node(g, {"node", 1, 1, n, columns * rows}, std::move(node)));
    }
    const auto at = [&](std::size_t row, std::size_t column) { return nodes[row % rows * columns + column % columns]; };
    // Connects all nodes to the right first, so that this channel is number 0 on both sides.
    for (std::size_t n = 0; n != nodes.size(); ++n) {
      g.connect_unbounded(nodes[n], 0, at(n / columns, n + 1), 0);
    }
    for (std::size_t n = 0; n != nodes.size(); ++n) {
      g.connect_unbounded(nodes[n], 0, at(n / columns + 1, n), 0);
    }
    network net(std::move(g));
    run(net);
    const std::uintptr_t wanted = sum(from_1_to(columns * rows));
    for (const node_id node : nodes) EXPECT_EQ(dynamic_cast<const torus_node&>(net.instance(node)).sum(), wanted);
  }
}

// Two heads fill the loop before they read from it, and answers may go to either head. Only
// unbounded channels back make that possible, whatever their distribution policy.
std::uintptr_t run_loop_of_unbounded_channels(distribution kind, const std::function<void(graph)>& run) {
  constexpr std::uintptr_t each = 20'000;
  std::atomic<std::uintptr_t> results{0};
  graph g;
  std::vector<node_id> heads;
  std::vector<node_id> workers;
  for (std::size_t h = 0; h != 2; ++h) {
    auto head = std::make_unique<word_function>([&](word_node& self, word item) {
      if (item == nullptr) {
        for (std::uintptr_t n = 1; n <= each; ++n) self.send(word_of(n));
        return go_on;
      }
      if (number_of(item) == 2 * each + 1) return eos;
      if (results.fetch_add(1) + 1 == 2 * each) self.broadcast(word_of(2 * each + 1));
      return go_on;
    });
    head->called_first();
    heads.push_back(add_word_node(g, {"head", 1, 1, h, 2}, std::move(head)));
  }
  for (std::size_t w = 0; w != 2; ++w) {
    workers.push_back(add_word_node(g, {"worker", 1, 1, w, 2}, [](word_node& self, word item) {
      if (number_of(item) != 2 * each + 1) return item;
      self.broadcast(item);
      return go_on;
    }));
  }
  for (const node_id head : heads) {
    for (const node_id worker : workers) g.connect(head, 0, worker, 0);
  }
  for (const node_id worker : workers) {
    for (const node_id head : heads) g.connect_unbounded(worker, 0, head, 0);
    g.set_policy(worker, 0, {kind, 1, {}});
  }
  run(std::move(g));
  return results;
}

TEST_P(untyped, loop_of_unbounded_channels_in_turn) {
  EXPECT_EQ(run_loop_of_unbounded_channels(distribution::round_robin, [&](graph g) { run(std::move(g)); }), 40'000U);
}

TEST_P(untyped, loop_of_unbounded_channels_balanced) {
  EXPECT_EQ(run_loop_of_unbounded_channels(distribution::balance, [&](graph g) { run(std::move(g)); }), 40'000U);
}

TEST_P(untyped, node_replaced_between_runs_while_the_others_keep_their_state) {
  for (int i = 0; i != repetitions; ++i) {
    constexpr std::uintptr_t last = 500;
    numbers got;
    graph g;
    // Continues at the number at which the run before stopped.
    const node_id source = add_word_node(g, {"source", 0, 1}, [next = std::uintptr_t{0}](word_node&, word) mutable {
      ++next;
      return next % (last + 1) == 0 ? eos : word_of(next);
    });
    const node_id stage = add_word_node(g, {"stage"}, std::make_unique<counting>());
    g.connect(source, 0, stage, 0);
    g.connect(stage, 0, add_word_node(g, {"sink", 1, 0}, collect_in(got)), 0);
    network net(std::move(g));
    run(net);
    EXPECT_EQ(sum(got), last * (last + 1) / 2 + last + last);

    got.clear();
    run(net);  // the same node continues to count
    EXPECT_EQ(got.size(), last + 1);
    EXPECT_EQ(got.front(), last + 3);
    EXPECT_EQ(got.back(), 2 * last);
    EXPECT_EQ(dynamic_cast<counting&>(net.instance(stage)).inits, 2);

    got.clear();
    net.replace("/stage",
                std::make_unique<word_function>([](word_node&, word item) { return word_of(10 * number_of(item)); }));
    run(net);
    EXPECT_EQ(got.size(), last);
    EXPECT_EQ(got.front(), 10 * (2 * last + 3));
    EXPECT_EQ(got.back(), 10 * (3 * last + 2));
  }
}

TEST_P(untyped, comb_of_two_nodes_in_one) {
  for (int i = 0; i != repetitions; ++i) {
    constexpr std::uintptr_t last = 1000;
    numbers got;
    graph g;
    const node_id source = add_word_node(g, {"source", 0, 1}, count_to(last));
    auto twice = std::make_unique<word_function>([](word_node& self, word item) {
      self.send(item);
      return item;
    });
    const node_id stage =
        add_word_node(g, {"comb"}, std::make_unique<word_comb>(std::move(twice), std::make_unique<counting>()));
    const node_id sink = add_word_node(g, {"sink", 1, 0}, collect_in(got));
    g.connect(source, 0, stage, 0);
    g.connect(stage, 0, sink, 0);
    const weir::report made = run(std::move(g));
    numbers wanted;
    for (std::uintptr_t n = 1; n <= last; ++n) wanted.insert(wanted.end(), {n + 1, n + 1});
    wanted.push_back(2 * last);
    EXPECT_EQ(got, wanted);
    EXPECT_EQ(made.nodes.size(), 3U);
  }
}

}  // namespace
