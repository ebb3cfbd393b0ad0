// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Every item that goes in comes out, under every executor. For every nesting of blocks see
// conformance_test.cpp.

#include "weir/detail/ports/in_port.hpp"

#include "nestings.hpp"
#include "networks.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <thread>
#include <unordered_map>

namespace {

using namespace weir_test;
class conservation : public each_executor {};
WEIR_UNDER_EACH_EXECUTOR(conservation);

void expect_shifted(std::vector<long> seen, long count, long by) {
  ASSERT_EQ(seen.size(), static_cast<std::size_t>(count));
  std::sort(seen.begin(), seen.end());
  for (long i = 0; i != count; ++i) ASSERT_EQ(seen[static_cast<std::size_t>(i)], i + by);
}

TEST_P(conservation, of_empty_streams_and_single_items) {
  for (const long count : {0L, 1L, 2L}) {
    std::vector<long> seen;
    run(numbers(count) | weir::farm(add(1), 4) | weir::farm(add(1), 3).round_robin() | into(seen));
    expect_shifted(std::move(seen), count, 2);
  }
}

TEST_P(conservation, broadcast_gives_each_consumer_a_copy) {
  std::vector<long> seen;
  run(numbers(1000) | weir::farm(add(0), 3).broadcast() | into(seen));
  std::map<long, int> times;
  for (const long item : seen) ++times[item];
  ASSERT_EQ(times.size(), 1000U);
  for (const auto& [item, count] : times) EXPECT_EQ(count, 3) << item;
}

TEST_P(conservation, broadcast_inside_other_policies) {
  std::vector<long> seen;
  run(numbers(1000) | weir::farm(weir::farm(add(0), 3).broadcast(), 2).round_robin() | into(seen));
  EXPECT_EQ(seen.size(), 3000U);
  EXPECT_EQ(std::accumulate(seen.begin(), seen.end(), 0L), 3 * 999L * 500);
}

TEST_P(conservation, filters_and_flat_maps) {
  std::vector<long> seen;
  run(numbers(10'000) | weir::node([](long item) -> std::optional<long> {
        if (item % 2 == 0) return item;
        return std::nullopt;
      }) |
      weir::farm(
          [](long item, weir::outlet<long>& out) {
            for (long i = 0; i != item % 6; ++i) out.send(1);
          },
          3) |
      into(seen));
  long expected = 0;
  for (long item = 0; item < 10'000; item += 2) expected += item % 6;
  EXPECT_EQ(static_cast<long>(seen.size()), expected);
}

TEST_P(conservation, a_flat_map_far_larger_than_any_buffer) {
  std::vector<long> seen;
  run(numbers(3) | weir::node([](long, weir::outlet<long>& out) {
        for (long i = 0; i != 30'000; ++i) out.send(i);
      }) |
      add(0) | into(seen));
  EXPECT_EQ(seen.size(), 90'000U);
}

TEST_P(conservation, a_source_written_as_a_loop) {
  std::vector<long> seen;
  run(weir::source([](weir::outlet<long>& out) {
        for (long i = 0; i != 30'000; ++i) out.send(i);
      }) |
      weir::farm(add(0), 2) | into(seen));
  expect_shifted(std::move(seen), 30'000, 0);
}

TEST_P(conservation, items_of_all_sizes_move_only_too) {
  struct large {
    std::array<char, 5000> bytes{};
    long value = 0;
  };
  long sum = 0;
  run(numbers(2000) | weir::node([](long item) {
        auto made = std::make_unique<large>();
        made->value = item;
        return made;
      }) |
      weir::farm([](std::unique_ptr<large> item) { return *item; }, 2) |
      weir::sink([&](const large& item) { sum += item.value; }));
  EXPECT_EQ(sum, 1999L * 1000);
}

TEST_P(conservation, order_is_kept_by_a_pipeline) {
  std::vector<long> seen;
  run(numbers(50'000) | add(1) | add(1) | add(1) | into(seen));
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(seen.size(), 50'000U);
}

TEST_P(conservation, order_is_kept_within_a_key) {
  struct pair {
    long key, sequence;
  };
  std::unordered_map<long, long> last;
  bool ordered = true;
  run(numbers(20'000) | weir::node([](long item) {
        return pair{item % 17, item};
      }) |
      weir::farm([](pair item) { return item; }, 4).by_key(&pair::key) | weir::sink([&](pair item) {
        auto [at, first] = last.emplace(item.key, item.sequence);
        if (!first) ordered = ordered && std::exchange(at->second, item.sequence) < item.sequence;
      }));
  EXPECT_TRUE(ordered);
  EXPECT_EQ(last.size(), 17U);
}

TEST_P(conservation, equal_keys_meet_at_one_worker) {
  struct tagger {
    std::size_t index = 0;
    std::pair<long, long> process(long item, weir::context& where) { return {item, static_cast<long>(where.index())}; }
  };
  std::map<long, std::set<long>> workers;
  run(numbers(5000) | weir::node([](long item) { return item % 50; }) |
      weir::farm(weir::node<long, std::pair<long, long>>(tagger{}), 4).by_key([](const long& item) { return item; }) |
      weir::sink([&](std::pair<long, long> item) { workers[item.first].insert(item.second); }));
  ASSERT_EQ(workers.size(), 50U);
  std::set<long> used;
  for (const auto& [key, at] : workers) {
    EXPECT_EQ(at.size(), 1U) << key;
    used.insert(at.begin(), at.end());
  }
  EXPECT_EQ(used.size(), 4U);  // 50 keys leave none of the four workers without an item
}

TEST_P(conservation, send_to_and_channel_agree) {
  std::vector<long> wrong;
  run(numbers(1000) | weir::node([](long item, weir::outlet<long>& out) {
        out.send_to(static_cast<std::size_t>(item) % out.width(), item);
      }) |
      weir::farm(
          [](long item, weir::context& where) -> std::optional<long> {
            if (static_cast<std::size_t>(item) % where.width() != where.index()) return item;
            return std::nullopt;
          },
          4) |
      into(wrong));
  EXPECT_TRUE(wrong.empty());

  std::vector<long> seen;
  run(numbers(1000) |
      weir::farm([](long item, weir::context& where) { return item % 1 + static_cast<long>(where.index()); }, 3) |
      weir::sink([&](long item, weir::context& where) {
        EXPECT_EQ(where.channels(), 3U);
        EXPECT_EQ(static_cast<std::size_t>(item), where.channel());
        seen.push_back(item);
      }));
  EXPECT_EQ(seen.size(), 1000U);
}

TEST_P(conservation, try_send_gives_back_what_has_no_room) {
  std::vector<long> seen;
  run(numbers(10) | weir::node([](long, weir::outlet<long>& out) {
        for (long i = 0; i != 5000; ++i) {
          if (auto back = out.try_send(i)) {
            EXPECT_EQ(back->item, i);
            EXPECT_EQ(back->why, weir::refusal::full);
            out.send(back->item);
          }
        }
      }) |
      into(seen));
  EXPECT_EQ(seen.size(), 50'000U);
}

TEST_P(conservation, start_and_finish_run_once_a_run_and_may_send) {
  struct framed {
    int starts = 0;
    void start(weir::outlet<long>& out) { out.send(-1 - starts++); }
    void process(long item, weir::outlet<long>& out) { out.send(item); }
    void finish(weir::outlet<long>& out) { out.send(1000); }
  };
  std::vector<long> seen;
  weir::network net = numbers(3) | weir::node(framed{}) | into(seen);
  run(net);
  EXPECT_EQ(seen, (std::vector<long>{-1, 0, 1, 2, 1000}));
  seen.clear();
  run(net);  // the source has ended and stays ended; the node's state is kept
  EXPECT_EQ(seen, (std::vector<long>{-2, 1000}));
}

TEST_P(conservation, a_factory_makes_each_worker_where_it_runs) {
  static std::atomic<int> made;
  made = 0;
  struct worker {
    worker() { ++made; }
    worker(const worker&) = delete;
    worker(worker&&) noexcept = default;
    std::unique_ptr<int> only_movable;
    long process(long item) { return item; }
  };
  std::vector<long> seen;
  weir::network net = numbers(1000) | weir::farm([] { return worker{}; }, 3) | into(seen);
  EXPECT_EQ(made, 0);
  run(net);
  EXPECT_EQ(made, 3);
  EXPECT_EQ(seen.size(), 1000U);
}

TEST_P(conservation, of_a_thousand_nodes_in_a_row_and_side_by_side) {
  stage row = add(1);
  for (int i = 0; i != 500; ++i) row = row | add(0);
  std::vector<long> seen;
  run(numbers(500) | row | weir::farm(add(0), 500) | into(seen));
  expect_shifted(std::move(seen), 500, 1);
}

// Each node has so many channels that it looks only at channels that are marked (`in_port::wide`).
TEST_P(conservation, of_wide_blocks) {
  constexpr std::size_t width = weir::detail::in_port::wide + 6;
  const auto identity = [](const long& item) { return item; };
  const auto first = [] { return weir::farm(add(1), width).round_robin(); };
  const auto second = [] { return weir::farm(add(1), width); };
  // The items of the second run are checked, because it uses the channels of the first one again.
  const auto sent_through = [&](long count, auto block) {
    std::vector<long> seen;
    weir::network net = weir::source(counts{count}) | first() | std::move(block) | into(seen);
    run(net);
    seen.clear();
    run(net);
    return seen;
  };
  expect_shifted(sent_through(2000, second()), 2000, 2);
  expect_shifted(sent_through(2000, second().by_key(identity)), 2000, 2);
  expect_shifted(sent_through(2000, second().on_demand(1)), 2000, 2);
  expect_shifted(sent_through(2000, second().capacity(1)), 2000, 2);
  EXPECT_EQ(sent_through(200, second().broadcast()).size(), 200 * width);
}

// The sender goes on in its own code, so it does not mark the item for its consumer. Other senders
// keep the consumer busy.
TEST_P(conservation, of_an_item_among_many_channels_whose_sender_is_busy) {
  if (GetParam().options.workers == 1 || GetParam().options.fuse) GTEST_SKIP() << "one thread runs both";
  std::atomic<bool> arrived{false};
  std::atomic<bool> over{false};
  const auto late = [&](long item, weir::outlet<long>& out) {
    out.send(item);
    while (item == 0 && !arrived && !over) std::this_thread::yield();
  };
  const auto stream = [&, next = 0L]() mutable -> std::optional<long> {
    if (!arrived && next != 5'000'000) return next++;
    over = true;
    return std::nullopt;
  };
  const auto key = [](const long& item) { return item == 0 ? 0 : 1 + item % 63; };
  run(weir::source(stream) | weir::farm(late, weir::detail::in_port::wide).by_key(key) | weir::sink([&](long item) {
        if (item == 0) arrived = !over;
      }));
  EXPECT_TRUE(arrived) << "only when its sender was done";
}

// Blocks made at random and nested at random.
stage random_block(std::mt19937& random, int depth) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  switch (depth == 0 ? below(2) : below(6)) {
    case 0: return add(0);
    case 1: return weir::node([](long item, weir::outlet<long>& out) { out.send(item); });
    case 2: return random_block(random, depth - 1) | random_block(random, depth - 1);
    case 3: {
      auto made = weir::farm(random_block(random, depth - 1), static_cast<std::size_t>(1 + below(4)));
      switch (below(6)) {
        case 0: return made.round_robin();
        case 1: return made.on_demand(static_cast<std::size_t>(1 + below(3)));
        case 2: return made.by_key([](const long& item) { return item; });
        case 3:
          return made.distribute(
              [](const long& item, std::size_t width) { return static_cast<std::size_t>(item / 3) % width; });
        default: return made;
      }
    }
    case 4: return weir::set(random_block(random, depth - 1), random_block(random, depth - 1));
    default: {
      const auto width = static_cast<std::size_t>(1 + below(4));
      return weir::farm(add(0), width) | weir::farm(random_block(random, depth - 1), width).one_to_one();
    }
  }
}

TEST_P(conservation, in_networks_made_at_random) {
  for (unsigned seed = 0; seed != 30; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const stage made = random_block(random, 3);
    std::vector<long> seen;
    run(numbers(2000) | made | into(seen));
    expect_shifted(std::move(seen), 2000, 0);
  }
}

}  // namespace
