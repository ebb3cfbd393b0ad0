// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Several streams: outlets, split, tee, merge, zip.

#include "weir/io/collect.hpp"

#include "counted.hpp"
#include "nestings.hpp"
#include "networks.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>

namespace {

using namespace weir_test;
class streams : public each_executor {};
WEIR_UNDER_EACH_EXECUTOR(streams);

auto sorted(std::vector<long> items) {
  std::sort(items.begin(), items.end());
  return items;
}
std::vector<long> range(long from, long to, long step = 1) {
  std::vector<long> made;
  for (; from < to; from += step) made.push_back(from);
  return made;
}

struct number_or_text {
  void process(long item, weir::outlet<long>& even, weir::outlet<std::string>& odd) {
    if (item % 2 == 0) {
      even.send(item);
    } else {
      odd.send(std::to_string(item));
    }
  }
};

auto to_number() {
  return weir::node([](std::string text) { return std::stol(text); });
}

TEST_P(streams, of_two_outlets_to_two_ends) {
  std::vector<long> even;
  std::vector<std::string> odd;
  run(numbers(10'000) | number_or_text{} |
      weir::split(into(even), weir::sink([&](std::string text) { odd.push_back(std::move(text)); })));
  EXPECT_EQ(even, range(0, 10'000, 2));
  ASSERT_EQ(odd.size(), 5000U);
  EXPECT_EQ(odd.back(), "9999");
}

TEST_P(streams, of_equal_type_flow_together) {
  std::vector<long> seen;
  run(numbers(10'000) | number_or_text{} | weir::split(weir::farm(add(0), 2), to_number()) | weir::farm(add(0), 3) |
      into(seen));
  EXPECT_EQ(sorted(seen), range(0, 10'000));
}

TEST_P(streams, one_of_which_ends_inside) {
  std::vector<long> seen;
  long odd = 0;
  run(numbers(1000) | number_or_text{} | weir::split(add(0), weir::sink([&](std::string) { ++odd; })) | into(seen));
  EXPECT_EQ(seen, range(0, 1000, 2));
  EXPECT_EQ(odd, 500);
}

TEST_P(streams, of_a_farm) {
  std::vector<long> seen;
  run(numbers(10'000) | weir::farm(number_or_text{}, 3).by_key([](const long& item) { return item; }) |
      weir::split(weir::farm(add(0), 2).round_robin(), weir::farm(to_number(), 2)) | into(seen));
  EXPECT_EQ(sorted(seen), range(0, 10'000));
}

TEST_P(streams, of_workers_that_a_factory_makes) {
  std::vector<long> seen;
  run(numbers(10'000) | weir::farm([] { return number_or_text{}; }, 3) |
      weir::split(weir::farm(add(0), 2).round_robin(), weir::farm(to_number(), 2)) | into(seen));
  EXPECT_EQ(sorted(seen), range(0, 10'000));
}

// Each worker gets both streams; an item that is sent to one worker goes to no other.
struct sum_of_both {
  long sum = 0;
  void process(long item, weir::outlet<long>&) { sum += item; }
  void process(const std::string& item, weir::outlet<long>&) { sum += 1'000'000 * std::stol(item); }
  void finish(weir::outlet<long>& out) { out.send(sum); }
};
struct number_or_text_for_the_second {
  void process(long item, weir::outlet<long>& even, weir::outlet<std::string>& odd) {
    if (item % 2 == 0) {
      even.send(item);
    } else {
      odd.send_to(1, std::to_string(item));
    }
  }
};

TEST_P(streams, are_broadcast) {
  std::vector<long> seen;
  const auto both = weir::node<weir::streams<long, std::string>, long>(sum_of_both{});
  run(numbers(100) | number_or_text{} | weir::farm(both, 3).broadcast() | into(seen));
  EXPECT_EQ(seen, (std::vector<long>(3, 2450 + 2500 * 1'000'000L)));
  seen.clear();
  run(numbers(100) | number_or_text_for_the_second{} | weir::farm(both, 3).broadcast() | into(seen));
  EXPECT_EQ(sorted(seen), (std::vector<long>{2450, 2450, 2450 + 2500 * 1'000'000L}));
}

TEST_P(streams, inside_a_farm) {
  std::vector<long> seen;
  run(numbers(10'000) | weir::farm(weir::node(number_or_text{}) | weir::split(add(0), to_number()), 3) | into(seen));
  EXPECT_EQ(sorted(seen), range(0, 10'000));
}

TEST_P(streams, that_pass_through_blocks_side_by_side) {
  std::vector<long> first;
  std::vector<std::string> second;
  const auto same_text = weir::node([](std::string text) { return text + "!"; });
  run(numbers(100) | number_or_text{} | weir::split(add(1), same_text) |
      weir::split(into(first), weir::sink([&](std::string text) { second.push_back(std::move(text)); })));
  EXPECT_EQ(first, range(1, 100, 2));
  EXPECT_EQ(second.front(), "1!");
}

TEST_P(streams, start_and_finish_have_all_outlets) {
  struct node {
    void start(weir::outlet<long>& a, weir::outlet<long>& b) { a.send(-1), b.send(-2); }
    void process(long item, weir::outlet<long>& a, weir::outlet<long>& b) {
      item % 2 == 0 ? a.send(item) : b.send(item);
    }
    void finish(weir::outlet<long>& a, weir::outlet<long>& b) { a.send(-3), b.send(-4); }
  };
  std::vector<long> a;
  std::vector<long> b;
  run(numbers(4) | node{} | weir::split(into(a), into(b)));
  EXPECT_EQ(a, (std::vector<long>{-1, 0, 2, -3}));
  EXPECT_EQ(b, (std::vector<long>{-2, 1, 3, -4}));
}

TEST_P(streams, tee_gives_each_a_copy) {
  std::vector<long> first;
  std::vector<long> second;
  run(numbers(10'000) | weir::tee(into(first), weir::farm(add(1), 2) | into(second)));
  EXPECT_EQ(first, range(0, 10'000));
  EXPECT_EQ(sorted(second), range(1, 10'001));
}

// Items of one word, of several words, and of more words than those for which a port keeps slots of
// its own.
template <std::size_t words>
struct wide {
  long number;
  std::array<long, words - 1> rest;
  explicit wide(long n) : number(n), rest() { rest.fill(n); }
  bool whole() const {
    return std::all_of(rest.begin(), rest.end(), [this](long n) { return n == number; });
  }
};
template <>
struct wide<1> {
  long number;
  explicit wide(long n) : number(n) {}
  bool whole() const { return true; }
};

// Sends by all ways to send, and lists the items that each of two consumers must see.
template <class Item>
struct sender_by_all_ways {
  std::array<std::vector<long>, 2>* sent;

  void process(long n, weir::outlet<Item>& out) {
    if (n % 11 == 0) return send_to(n % 2 == 0 ? 0 : 1, n, out);
    for (auto& list : *sent) list.push_back(n);
    if (n % 7 != 0) return out.send(Item(n));
    while (const auto back = out.try_send(Item(n))) {
      if (back->why == weir::refusal::closed) throw std::logic_error("closed");
    }
  }
  void send_to(std::size_t index, long n, weir::outlet<Item>& out) {
    (*sent)[index].push_back(n);
    out.send_to(index, Item(n));
  }
};

template <class Item>
auto list_of_numbers(std::vector<long>& list, std::size_t capacity) {
  return weir::sink([&list](const Item& item) { list.push_back(item.whole() ? item.number : -1); }).capacity(capacity);
}

// `sent` lists the items that each consumer must see. If `fills` is set, `sender` fills it in, and
// it is cleared before each run.
template <class Item>
void send_to_two(const weir::block<long, Item>& sender, std::array<std::vector<long>, 2>& sent, bool fills) {
  for (const auto& [first, second] : {std::pair{1U, 4U}, {5U, 1U}, {64U, 200U}, {1000U, 64U}}) {
    if (fills) sent = {};
    std::array<std::vector<long>, 2> seen;
    run(numbers(3000) | sender |
        weir::tee(list_of_numbers<Item>(seen[0], first), list_of_numbers<Item>(seen[1], second)));
    EXPECT_EQ(seen, sent) << "capacities " << first << " and " << second;
  }
}

template <class Item>
void send_to_two_by_all_ways() {
  std::array<std::vector<long>, 2> sent;
  send_to_two<Item>(weir::node(sender_by_all_ways<Item>{&sent}), sent, true);
  sent.fill(first_numbers(3000));
  send_to_two<Item>(weir::node([](long n) { return Item(n); }), sent, false);
}

TEST_P(streams, tee_keeps_the_order_of_each_whichever_way_it_is_sent) {
  send_to_two_by_all_ways<wide<1>>();
  send_to_two_by_all_ways<wide<3>>();
  send_to_two_by_all_ways<wide<100>>();
}

// A send to one consumer of a broadcast does not wake the others.
TEST_P(streams, an_item_for_one_wakes_no_other) {
  if (GetParam().options.fuse) GTEST_SKIP() << "its nodes wait for each other, which those that take turns can't";
  std::atomic<long> seen{0};
  const auto one_by_one = [&, n = 0L]() mutable -> std::optional<long> {
    while (seen != n) std::this_thread::yield();
    return n == 300 ? std::nullopt : std::optional(n++);
  };
  const auto to_the_first = [](long item, weir::outlet<long>& out) { out.send_to(0, item); };
  const weir::report how = run(weir::source(one_by_one) | weir::node(to_the_first) |
                               weir::farm(weir::sink([&](long) { ++seen; }), 3).broadcast().named("each"));
  for (const weir::node_report& node : how.nodes) {
    if (node.path == "/each[1]" || node.path == "/each[2]") {
      EXPECT_LT(node.steps, 100U) << node.path;
    }
  }
  EXPECT_EQ(std::ranges::count_if(how.nodes, [](const auto& node) { return node.path.starts_with("/each["); }), 3);
}

// The source makes an item when both consumers have seen the one before.
TEST_P(streams, tee_shows_each_item_at_once) {
  std::array<std::atomic<long>, 2> seen{};
  const auto note = [&](std::size_t i) { return weir::sink([&seen, i](long) { seen[i].fetch_add(1); }); };
  run(weir::source([&, n = 0L]() mutable -> std::optional<long> {
        while (seen[0].load() != n || seen[1].load() != n) std::this_thread::yield();
        return n == 200 ? std::nullopt : std::optional(n++);
      }) |
      weir::tee(note(0), note(1)));
  EXPECT_EQ(seen[0].load(), 200);
  EXPECT_EQ(seen[1].load(), 200);
}

TEST_P(streams, tee_to_different_types) {
  const auto text = weir::node([](long item) { return std::to_string(item); });
  std::vector<long> seen;
  run(numbers(1000) | weir::tee(add(1000), text) | weir::split(add(0), to_number()) | into(seen));
  EXPECT_EQ(sorted(seen), range(0, 2000));
}

TEST_P(streams, merge_of_sources) {
  std::vector<long> seen;
  run(weir::merge(numbers(1000), numbers(500) | add(1000),
                  weir::set(numbers(250) | add(1500), numbers(250) | add(1750))) |
      add(0) | into(seen));
  EXPECT_EQ(sorted(seen), range(0, 2000));
}

TEST_P(streams, merge_behind_a_split) {
  std::vector<long> seen;
  run(numbers(1000) | number_or_text{} | weir::merge(add(0), to_number()) | into(seen));
  EXPECT_EQ(sorted(seen), range(0, 1000));
}

TEST_P(streams, zip_pairs_the_items) {
  std::vector<std::tuple<long, std::string>> seen;
  const auto texts = numbers(20'000) | weir::node([](long item) { return std::to_string(item); });
  run(weir::zip(numbers(20'000), texts) |
      weir::sink([&](std::tuple<long, std::string> both) { seen.push_back(std::move(both)); }));
  ASSERT_EQ(seen.size(), 20'000U);
  for (long i = 0; i != 20'000; ++i) {
    ASSERT_EQ(std::get<0>(seen[static_cast<std::size_t>(i)]), i);
    ASSERT_EQ(std::get<1>(seen[static_cast<std::size_t>(i)]), std::to_string(i));
  }
}

TEST_P(streams, zip_ends_with_the_shorter) {
  for (const auto& [a, b] : {std::pair(100L, 20'000L), std::pair(20'000L, 100L), std::pair(0L, 20'000L)}) {
    long seen = 0;
    run(weir::zip(numbers(a), numbers(b), numbers(1'000'000)) | weir::sink([&](std::tuple<long, long, long> all) {
          if (std::get<0>(all) != seen || std::get<1>(all) != seen) throw std::logic_error("not a pair");
          ++seen;
        }));
    EXPECT_EQ(seen, std::min(a, b));
  }
}

TEST_P(streams, zip_of_what_was_split) {
  std::vector<std::tuple<long, std::string>> seen;
  run(numbers(10'000) | number_or_text{} | weir::zip<long, std::string>() |
      weir::sink([&](std::tuple<long, std::string> both) { seen.push_back(std::move(both)); }));
  ASSERT_EQ(seen.size(), 5000U);
  EXPECT_EQ(seen.back(), std::tuple(9998L, std::string("9999")));
}

TEST_P(streams, zip_of_items_that_only_move) {
  const auto own = weir::node([](long item) { return std::make_unique<long>(item); });
  long sum = 0;
  run(weir::zip(numbers(1000) | own, numbers(1000) | own) |
      weir::sink([&](std::tuple<std::unique_ptr<long>, std::unique_ptr<long>> both) {
        sum += *std::get<0>(both) - *std::get<1>(both) + 1;
      }));
  EXPECT_EQ(sum, 1000);
}

TEST_P(streams, a_node_that_takes_two_types) {
  struct ledger {
    long numbers = 0;
    long texts = 0;
    void process(long, weir::outlet<long>&) { ++numbers; }
    void process(std::string, weir::outlet<long>&) { ++texts; }
    void finish(weir::outlet<long>& out) { out.send(numbers), out.send(texts); }
  };
  std::vector<long> seen;
  run(numbers(1001) | number_or_text{} | weir::node<weir::streams<long, std::string>, long>(ledger{}) | into(seen));
  EXPECT_EQ(seen, (std::vector<long>{501, 500}));
}

TEST_P(streams, an_item_of_the_second_stream_is_destroyed_where_its_node_throws) {
  struct refuses_counted {
    long process(long item) { return item; }
    long process(const counted& item) { throw std::runtime_error("refused " + std::to_string(item.value())); }
  };
  census::reset();
  const auto counts = weir::source([next = 0L]() mutable -> std::optional<counted> {
    if (next == 10) return std::nullopt;
    return counted(next++);
  });
  const auto by_itself = [](long item) { return item; };
  EXPECT_THROW(
      run(weir::split(numbers(10), counts) | weir::node<weir::streams<long, counted>, long>(refuses_counted{}) |
          weir::farm(weir::sink([](long) {}), 2).by_key(by_itself)),
      weir::node_error);
  EXPECT_EQ(census::alive, 0);
}

// The parts of a split or a tee are not counted as instances of one node, as the workers of a farm
// are.
TEST_P(streams, parts_are_no_workers) {
  std::vector<long> even;
  std::vector<std::string> odd;
  std::vector<std::size_t> widths;
  const auto note = weir::sink([&](long, weir::context& where) { widths.push_back(where.width()); });
  run(numbers(10) |
      weir::tee(note, weir::node(number_or_text{}) | weir::split(weir::collect(even), weir::collect(odd))));
  EXPECT_EQ(even, range(0, 10, 2));
  EXPECT_EQ(odd.size(), 5U);
  EXPECT_EQ(widths, std::vector<std::size_t>(10, 1));
}

// F1's farm in its original form: an emitter that chooses the worker, and a collector that knows
// from which worker an item comes.
TEST_P(streams, an_emitter_and_a_collector) {
  struct emitter {
    void process(long item, weir::outlet<long>& to) {
      to.send_to(static_cast<std::size_t>(item) / 10 % to.width(), item);
    }
  };
  struct collector {
    std::vector<std::vector<long>>* seen;
    void process(long item, weir::context& where) {
      seen->resize(where.channels());
      (*seen)[where.channel()].push_back(item);
    }
  };
  std::vector<std::vector<long>> seen;
  run(numbers(1000) | emitter{} | weir::farm(add(0), 4) | weir::sink(collector{&seen}));
  ASSERT_EQ(seen.size(), 4U);
  for (std::size_t worker = 0; worker != 4; ++worker) {
    EXPECT_TRUE(std::is_sorted(seen[worker].begin(), seen[worker].end()));
    for (const long item : seen[worker]) EXPECT_EQ(static_cast<std::size_t>(item) / 10 % 4, worker);
  }
}

TEST(stream_errors, of_an_ordered_block) {
  const auto block =
      weir::farm(weir::node(number_or_text{}) | weir::merge(add(0), to_number()), 2).ordered().named("all");
  std::vector<long> seen;
  try {
    weir::run(numbers(1) | block | into(seen));
    FAIL() << "nothing was thrown";
  } catch (const weir::graph_error& error) {
    EXPECT_EQ(std::string(error.what()),
              "/all[0]/node1: takes or sends several streams inside an ordered block, whose items would part; say "
              "ordered() of "
              "the blocks before and behind it");
  }
}

}  // namespace
