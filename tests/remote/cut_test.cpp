// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A network cut in two gives the same result as the whole one. Every item that crosses the cut is
// encoded and decoded.

#include "weir/detail/passes/cut.hpp"

#include "weir/detail/passes/relay_broadcasts.hpp"
#include "weir/graph/graph.hpp"
#include "weir/item/cereal.hpp"

#include "counted.hpp"
#include "local_links.hpp"
#include "networks.hpp"
#include "remote/relay.hpp"

#include <cereal/types/string.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <thread>
#include <utility>
#include <vector>

namespace {

struct slow_to_decode {
  long number = 0;
};
struct slow_to_encode {
  long number = 0;
};

// An item that owns an unknown amount of memory: none if it is light, else many bytes. The census
// counts those that are not light.
struct parcel {
  static constexpr long light = 1000;
  static constexpr std::size_t weight = 50'000;  // bytes as encoded

  explicit parcel(long its_number) : number(its_number) {
    if (number >= light) contents.emplace(number);
  }

  long number;
  std::optional<weir_test::counted> contents;
};

void take_three_microseconds() {
  const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(3);
  while (std::chrono::steady_clock::now() < until) {
  }
}

}  // namespace

template <>
struct weir::codec<slow_to_decode> {
  static void encode(const slow_to_decode& item, byte_sink& to) { append(to, item.number); }
  static slow_to_decode decode(byte_source& from) {
    slow_to_decode made;
    from.read(made.number);
    take_three_microseconds();
    return made;
  }
};
template <>
struct weir::codec<parcel> {
  static void encode(const parcel& item, byte_sink& to) {
    static const std::vector<std::byte> contents(parcel::weight);
    append(to, item.number);
    if (item.contents) to.append(contents.data(), contents.size());
  }
  static parcel decode(byte_source& from) {
    long number = 0;
    from.read(number);
    if (number >= parcel::light) from.take(parcel::weight);
    return parcel(number);
  }
};
template <>
struct weir::codec<slow_to_encode> {
  static void encode(const slow_to_encode& item, byte_sink& to) {
    append(to, item.number);
    take_three_microseconds();
  }
  static slow_to_encode decode(byte_source& from) {
    slow_to_encode made;
    from.read(made.number);
    return made;
  }
};

namespace {

using namespace weir_test;

class cut_in_two : public each_executor {
 protected:
  // Runs the two halves of a network at the same time, as two processes would.
  void run_halves(weir::network whole, std::uint64_t frame_items = std::numeric_limits<std::uint64_t>::max()) {
    const weir::graph g = weir::detail::relay_broadcasts(whole.resolve(2), weir::detail::make_relay);
    local_links links(frame_items);
    const auto make = [&](const weir::detail::remote_end& end) { return links.make(end); };
    weir::network left(weir::detail::cut(g, "left", make));
    weir::network right(weir::detail::cut(g, "right", make));
    std::exception_ptr problem;
    std::thread other([&] {
      try {
        left_report = run(left);
      } catch (...) {
        problem = std::current_exception();
      }
    });
    std::exception_ptr own;
    try {
      right_report = run(right);
    } catch (...) {
      own = std::current_exception();
    }
    other.join();
    cut_channels = links.channels();
    remote_ends = links.ends();
    frames = links.frames();
    if (problem) std::rethrow_exception(problem);
    if (own) std::rethrow_exception(own);
  }
  std::size_t cut_channels = 0;
  std::size_t remote_ends = 0;
  long frames = 0;
  weir::report left_report;
  weir::report right_report;
};
WEIR_UNDER_EACH_EXECUTOR(cut_in_two);

auto keep() {
  return weir::node([](long item) { return item; });
}

void expect_all(std::vector<long> seen, long count) {
  ASSERT_EQ(seen.size(), static_cast<std::size_t>(count));
  std::sort(seen.begin(), seen.end());
  for (long i = 0; i != count; ++i) ASSERT_EQ(seen[static_cast<std::size_t>(i)], i);
}

TEST_P(cut_in_two, an_ordered_farm_keeps_its_order) {
  const auto odd_twice = [](long item, weir::outlet<long>& out) {
    for (long i = 0; i != item % 2 * 2; ++i) out.send(item);
  };
  std::vector<long> seen;
  const auto worker = weir::farm(weir::node(odd_twice).in_group("right"), 2) | keep().in_group("left");
  run_halves(numbers(5000).in_group("left") | weir::farm(worker, 3).ordered().in_group("left") |
             into(seen).in_group("right"));
  EXPECT_EQ(seen.size(), 5000U);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
}

TEST_P(cut_in_two, a_pipeline_keeps_its_order) {
  std::vector<long> seen;
  run_halves((numbers(20'000) | keep()).in_group("left") | (keep() | into(seen)).in_group("right"));
  EXPECT_EQ(cut_channels, 1U);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  expect_all(seen, 20'000);
}

// One frame for each item would be many times slower. The number of waiting items depends on the
// scheduling, but among so many items some always wait together.
TEST_P(cut_in_two, batches_that_wait_go_together) {
  std::vector<long> seen;
  run_halves(numbers(50'000).in_group("left") | into(seen).in_group("right"), 1);
  expect_all(seen, 50'000);
  EXPECT_LT(frames, 50'000);
  if (std::string(GetParam().name) != "one_worker") return;
  // A single worker sends all items of the source's step, which has ended. Large ones take several
  // frames.
  constexpr std::uint64_t items_of_large_frame = 60 * 1024 / sizeof(long);
  EXPECT_LE(frames, left_report.nodes.at(0).steps + 50'000 / items_of_large_frame + 1);
}

TEST(cut_channels, have_more_room_and_others_what_they_had) {
  weir::network net =
      (numbers(1) | keep().named("a") | keep().named("b")).in_group("left") | weir::sink([](long) {}).in_group("right");
  const weir::graph part = weir::detail::cut(net.resolve(2), "left", {});
  ASSERT_EQ(part.channels().size(), 3U);
  for (const weir::channel_description& c : part.channels()) {
    EXPECT_EQ(c.capacity, 0U);
    EXPECT_EQ(c.bytes != 0, part.nodes()[c.to].in_whole == weir::no_node) << part.nodes()[c.to].path;
  }
}

// The producer makes light items first, of which many are in transit at once.
TEST_P(cut_in_two, no_more_items_of_unknown_memory_are_alive_than_in_one_process) {
  constexpr long made = parcel::light + 700;
  const auto source = weir::source([next = 0L]() mutable -> std::optional<parcel> {
    if (next == made) return std::nullopt;
    return parcel(next++);
  });
  const auto many_at_a_time = numbers(1) | weir::node([](long, weir::outlet<parcel>& out) {
                                for (long i = 0; i != made; ++i) out.send(parcel(i));
                              });
  // A channel, twice as many spilled, and one in the hand of each node.
  const auto expect_few = [&](const auto& from, long most) {
    std::vector<long> seen;
    const auto to = weir::sink([&](const parcel& item) {
      seen.push_back(item.number);
      // The producer gets time to go on.
      for (int i = 0; item.number == parcel::light && i != 5000 && census::peak <= 3 * most / 2; ++i) {
        std::this_thread::yield();
      }
    });
    census::reset();
    run(from | to);
    EXPECT_LE(census::peak, most);
    expect_all(std::exchange(seen, {}), made);
    census::reset();
    run_halves(from.in_group("left") | to.in_group("right"));
    EXPECT_LE(census::peak, 3 * most / 2);
    expect_all(seen, made);
    EXPECT_EQ(census::alive, 0);
  };
  expect_few(source, 128 + 2);
  expect_few(many_at_a_time, 128 + 2 * 128 + 2);
}

TEST_P(cut_in_two, there_and_back_again) {
  std::vector<long> seen;
  run_halves(numbers(5000).in_group("left") | keep().in_group("right") | keep().in_group("left") |
             into(seen).in_group("right"));
  EXPECT_EQ(cut_channels, 3U);
  expect_all(seen, 5000);
}

TEST_P(cut_in_two, every_policy) {
  const auto key = [](const long& item) { return item; };
  const auto work = weir::farm(keep(), 3);
  for (const auto& farm : {work, work.round_robin(), work.on_demand(2), work.by_key(key)}) {
    std::vector<long> seen;
    run_halves(numbers(3000).in_group("left") | weir::farm(keep(), 2).in_group("left") | farm.in_group("right") |
               into(seen).in_group("left"));
    EXPECT_EQ(cut_channels, 9U);
    expect_all(seen, 3000);
  }
}

// A port has at most four remote ends for all of its channels to another group.
TEST_P(cut_in_two, two_farms_have_few_remote_ends) {
  for (const bool strings : {false, true}) {
    std::vector<long> seen;
    const auto text = weir::node([](long item) { return std::to_string(item); });
    const auto number = weir::node([](std::string item) { return std::stol(item); });
    const auto left = [&](const auto& worker) { return weir::farm(worker, 9).in_group("left"); };
    const auto right = [&](const auto& worker) { return weir::farm(worker, 10).in_group("right"); };
    const auto first = numbers(5000).in_group("left");
    const auto last = into(seen).in_group("right");
    if (strings) {
      run_halves(first | left(text) | right(number) | last);
    } else {
      run_halves(first | left(keep()) | right(keep()) | last);
    }
    EXPECT_EQ(cut_channels, 90U);
    EXPECT_EQ(remote_ends, 4U * 9 + 4U * 10);
    expect_all(seen, 5000);
  }
}

// A worker that sleeps blocks its own channel, which then is full, and no other channel of its
// remote end.
TEST_P(cut_in_two, a_consumer_that_sleeps_holds_up_no_other) {
  constexpr long others = 20'000 - 100;  // the sleeper's channel has room for 64
  std::atomic<bool> awake{false};
  std::atomic<long> taken{0};
  const auto work = [&](long, weir::context& where) {
    if (where.index() == 0 && !awake) {
      const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(60);
      while (taken < others && std::chrono::steady_clock::now() < latest) std::this_thread::yield();
      EXPECT_GE(taken, others);
      awake = true;
    }
    ++taken;
  };
  run_halves(numbers(20'000).in_group("left") |
             weir::farm(weir::node(work).blocking(), 12).capacity(64).in_group("right"));
  EXPECT_EQ(taken, 20'000);
}

// Five endless sources send to one consumer, for which decoding takes all the time: each source
// gets its turn.
TEST_P(cut_in_two, no_channel_starves_beside_others_of_its_end) {
  std::array<long, 5> seen{};
  long all = 0;
  const auto source = weir::source([](weir::context& where) -> std::optional<slow_to_decode> {
    return slow_to_decode{static_cast<long>(where.index())};
  });
  run_halves(weir::farm(source, 5).in_group("left") |
             weir::sink([&](slow_to_decode item) {
               ++seen[static_cast<std::size_t>(item.number)];
               if (++all == 1'000'000 || std::ranges::all_of(seen, [](long each) { return each > 1000; }))
                 throw weir::stopped{};
             }).in_group("right"));
  for (const long each : seen) EXPECT_GT(each, 1000);
}

// One of twelve channels always has more items than one step sends; the other channels make
// progress meanwhile.
TEST_P(cut_in_two, no_channel_starves_beside_a_busy_one) {
  std::array<std::atomic<long>, 12> seen{};
  const auto all_have_some = [&] { return std::ranges::all_of(seen, [](const auto& each) { return each > 10; }); };
  const auto source = weir::source([&, made = 0L]() mutable -> std::optional<slow_to_encode> {
    if (made == 60'000 || all_have_some()) return std::nullopt;
    const long number = made++ % 1000;
    return slow_to_encode{number < 12 ? number : 0};
  });
  const auto choose = [](const slow_to_encode& item, std::size_t) { return static_cast<std::size_t>(item.number); };
  std::atomic<long> taken{0};
  const auto work = [&](slow_to_encode item) {
    ++seen[static_cast<std::size_t>(item.number)];
    ++taken;
  };
  run_halves(source.in_group("left") | weir::farm(work, 12).distribute(choose).in_group("right"));
  EXPECT_TRUE(all_have_some());
  EXPECT_LT(taken, 60'000) << "the others came last";
}

// Returns the mean number of items that a remote end has sent in a step.
std::uint64_t items_a_step(const weir::report& half) {
  for (const weir::node_report& node : half.nodes) {
    if (node.path.starts_with("/remote/")) return node.items / node.steps;
  }
  ADD_FAILURE() << "there is no remote end";
  return 0;
}

template <class T>
auto slow_numbers() {
  return weir::source([n = 0L]() mutable { return n == 20'000 ? std::nullopt : std::optional(T{n++}); });
}

// A turn takes a tenth of a millisecond, so that other nodes have their turns: 33 of these items.
TEST_P(cut_in_two, items_that_take_long_to_encode_or_decode_go_in_turns) {
  long seen = 0;
  run_halves(slow_numbers<slow_to_decode>().in_group("left") |
             weir::sink([&](slow_to_decode) { ++seen; }).in_group("right"));
  EXPECT_LT(items_a_step(right_report), 200U);
  run_halves(slow_numbers<slow_to_encode>().in_group("left") |
             weir::sink([&](slow_to_encode) { ++seen; }).in_group("right"));
  EXPECT_LT(items_a_step(left_report), 200U);
  EXPECT_EQ(seen, 40'000);
}

// With one item assigned to each worker, a worker that ends loses no more than the item at which it
// throws, and one under way.
TEST_P(cut_in_two, a_consumer_that_ends_early_ends_its_channel_and_no_other) {
  std::atomic<long> taken{0};
  std::array<std::atomic<long>, 10> of{};
  const auto work = [&](long, weir::context& where) {
    std::atomic<long>& own = of[where.index()];
    if (where.index() % 2 == 0 && own == 5) throw weir::stopped{};
    ++own;
    ++taken;
  };
  run_halves(numbers(3000).in_group("left") | weir::farm(work, 10).on_demand(1).in_group("right"));
  for (std::size_t i = 0; i != of.size(); i += 2) EXPECT_LE(of[i], 5) << i;
  EXPECT_GE(taken, 2990);
}

// Each worker knows by the channel which producer has sent an item.
TEST_P(cut_in_two, a_consumer_knows_its_producers_apart) {
  std::mutex mutex;
  std::map<std::size_t, std::set<long>> senders;  // by channel
  std::size_t channels = 0;
  const auto mark = [](long, weir::outlet<long>& out, weir::context& where) {
    out.send(static_cast<long>(where.index()));
  };
  run_halves(numbers(4000).in_group("left") | weir::farm(mark, 9).round_robin().in_group("left") |
             weir::farm(
                 [&](long sender, weir::context& where) {
                   const std::lock_guard lock(mutex);
                   senders[where.channel()].insert(sender);
                   channels = where.channels();
                 },
                 3)
                 .in_group("right"));
  EXPECT_EQ(channels, 9U);
  for (const auto& [channel, all] : senders) {
    EXPECT_EQ(all, (std::set<long>{static_cast<long>(channel)}));
  }
}

// Number of items that have left the left group.
std::uint64_t crossed(const weir::report& left) {
  std::uint64_t items = 0;
  for (const weir::channel_report& c : left.channels) items += c.to.starts_with("/remote/") ? c.items : 0;
  return items;
}

TEST_P(cut_in_two, a_broadcast_crosses_once) {
  std::vector<long> seen;
  run_halves(numbers(3000).in_group("left") | weir::farm(keep(), 4).broadcast().in_group([](std::size_t i) {
    return std::string(i == 1 ? "left" : "right");
  }) | into(seen).in_group("right"));
  EXPECT_EQ(cut_channels, 2U);  // to the three nodes on the right, and from the one on the left
  EXPECT_EQ(crossed(left_report), 6000U);
  ASSERT_EQ(seen.size(), 12'000U);
  std::ranges::sort(seen);
  for (std::size_t i = 0; i != seen.size(); ++i) ASSERT_EQ(seen[i], static_cast<long>(i / 4));
}

TEST_P(cut_in_two, a_tee_of_tees_and_farms_crosses_once) {
  std::vector<long> seen;
  const auto key = [](const long& item) { return item; };
  const auto text = weir::node([](long item) { return std::to_string(item); });
  const auto length = weir::node([](std::string item) { return static_cast<long>(item.size()); });
  run_halves((numbers(1000) | text).in_group("left") |
             weir::tee(weir::tee(length, weir::farm(length, 2).round_robin()),
                       weir::farm(length, 2).by_key([](const std::string& item) { return item; }))
                 .in_group("right") |
             weir::farm(keep(), 2).by_key(key).in_group("right") | into(seen).in_group("right"));
  EXPECT_EQ(crossed(left_report), 1000U);
  EXPECT_EQ(seen.size(), 3000U);
}

TEST_P(cut_in_two, those_who_choose_one_consumer_of_a_broadcast_reach_it) {
  struct to_some {
    void process(long item, weir::outlet<std::string>& out) {
      ASSERT_EQ(out.width(), 5U);
      if (item % 10 == 0) return out.send("all " + std::to_string(item));
      out.send_to(static_cast<std::size_t>(item % 5), "one " + std::to_string(item));
    }
  };
  std::vector<std::vector<std::string>> seen(5);
  run_halves((numbers(3000) | to_some{}).in_group("left") |
             weir::farm([&](const std::string& item, weir::context& where) { seen[where.index()].push_back(item); }, 5)
                 .broadcast()
                 .in_group([](std::size_t i) { return std::string(i == 1 || i == 3 ? "left" : "right"); }));
  EXPECT_EQ(cut_channels, 1U);
  for (long worker = 0; worker != 5; ++worker) {
    std::vector<std::string> expected;  // in the order in which they were sent
    for (long item = 0; item != 3000; ++item) {
      if (item % 10 == 0) {
        expected.push_back("all " + std::to_string(item));
      } else if (item % 5 == worker) {
        expected.push_back("one " + std::to_string(item));
      }
    }
    EXPECT_EQ(seen[static_cast<std::size_t>(worker)], expected) << worker;
  }
}

TEST_P(cut_in_two, a_consumer_of_a_broadcast_that_wants_no_more_ends_its_producer) {
  std::atomic<long> taken{0};
  run_halves(weir::source([made = 0L]() mutable -> std::optional<long> { return made++; }).in_group("left") |
             weir::farm(
                 [&](long, weir::context& where) {
                   if (where.index() == 1 && ++taken == 1000) throw weir::stopped{};
                 },
                 3)
                 .broadcast()
                 .in_group("right"));
  EXPECT_EQ(taken, 1000);
}

TEST_P(cut_in_two, nothing_spins_while_items_are_under_way) {
  run_halves(numbers(40).in_group("left") |
             weir::sink([](long) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }).in_group("right"));
  for (const weir::node_report& node : left_report.nodes) EXPECT_LT(node.steps, 1000U) << node.path;
}

TEST_P(cut_in_two, nothing_spins_while_a_channel_is_full) {
  const auto text = [made = 0]() mutable -> std::optional<std::string> {
    if (made++ == 40) return std::nullopt;
    if (made > 20) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return std::string(100'000, 'x');
  };
  run_halves(weir::source(text).in_group("left") | weir::sink([](std::string) {
                                                     std::this_thread::sleep_for(std::chrono::milliseconds(3));
                                                   }).in_group("right"));
  for (const weir::node_report& node : left_report.nodes) EXPECT_LT(node.steps, 1000U) << node.path;
}

TEST_P(cut_in_two, nothing_spins_where_a_consumer_has_gone) {
  const auto slow = [made = 0L]() mutable -> std::optional<long> {
    if (made == 60) return std::nullopt;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return made++;
  };
  const auto work = [](long, weir::context& where) {
    if (where.index() == 0) throw weir::stopped{};
  };
  // All later items are for another worker, so nothing is sent to the worker that has gone, and
  // nothing ends.
  const auto key = [](const long& item) { return item < 40 ? item % 12 : 1; };
  run_halves(weir::source(slow).in_group("left") | weir::farm(work, 12).by_key(key).in_group("right"));
  for (const weir::node_report& node : left_report.nodes) EXPECT_LT(node.steps, 1000U) << node.path;
}

// The channels of the other workers are full, and wait for the lost items of the worker that has
// ended.
TEST_P(cut_in_two, a_worker_of_a_wide_ordered_farm_may_end_early) {
  for (const std::size_t capacity : {std::size_t{2}, std::size_t{0}}) {
    std::vector<long> seen;
    const auto work = weir::node([](long item, weir::context& where) -> long {
      if (where.index() == 0 && item > 1000) throw weir::stopped{};
      return item;
    });
    auto farm = weir::farm(work.in_group("right"), 9).ordered().in_group("left");
    if (capacity != 0) farm = farm.capacity(capacity);
    run_halves(numbers(100'000).in_group("left") | farm | into(seen).in_group("left"));
    EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
    EXPECT_GE(seen.size(), 1000U);
  }
}

TEST_P(cut_in_two, channels_with_and_without_a_relay_to_one_group) {
  std::vector<long> seen;
  const auto some = [](std::size_t i) { return std::string(i < 6 ? "right" : "left"); };
  const auto each = weir::node([](long item, weir::outlet<long>& out) { out.send(item); });
  run_halves((numbers(1000) | each).in_group("left") |
             weir::tee(keep().in_group("right"), keep().in_group("right"), weir::farm(keep(), 8).in_group(some)) |
             into(seen).in_group("left"));
  EXPECT_EQ(seen.size(), 3000U);
}

TEST_P(cut_in_two, equal_keys_still_meet) {
  std::map<long, std::set<std::size_t>> workers;
  std::mutex mutex;
  run_halves(numbers(3000).in_group("left") | weir::farm(
                                                  [&](long item, weir::context& where) {
                                                    const std::lock_guard lock(mutex);
                                                    workers[item % 10].insert(where.index());
                                                  },
                                                  3)
                                                  .by_key([](const long& item) { return item % 10; })
                                                  .in_group("right"));
  ASSERT_EQ(workers.size(), 10U);
  for (const auto& [at, indices] : workers) EXPECT_EQ(indices.size(), 1U) << at;
}

TEST_P(cut_in_two, strings_by_cereal) {
  std::vector<std::string> seen;
  run_halves((numbers(3000) | weir::node([](long item) {
                return std::string(static_cast<std::size_t>(item % 70), 'x') + std::to_string(item);
              })).in_group("left") |
             weir::sink([&](std::string item) { seen.push_back(std::move(item)); }).in_group("right"));
  ASSERT_EQ(seen.size(), 3000U);
  EXPECT_EQ(seen[71], std::string(1, 'x') + "71");
}

TEST_P(cut_in_two, on_demand_counts_what_is_under_way) {
  // With one item assigned to each of two workers, at most two items can be between the source and
  // the workers' ends.
  std::atomic<long> assigned{0};
  std::atomic<long> most{0};
  run_halves((numbers(500) | weir::node([&](long item, weir::outlet<long>& out) {
                out.send(item);
                const long now = ++assigned;
                long seen = most;
                while (now > seen && !most.compare_exchange_weak(seen, now)) {
                }
              })).in_group("left") |
             weir::farm([&](long) { --assigned; }, 2).on_demand(1).in_group("right"));
  EXPECT_EQ(assigned, 0);
  EXPECT_LE(most, 3);  // two assigned, one spilled
}

TEST_P(cut_in_two, random_cuts_of_a_network) {
  for (unsigned seed = 0; seed != 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto group = [&] { return random() % 2 == 0 ? "left" : "right"; };
    std::vector<long> seen;
    run_halves(numbers(1000).in_group("left") | keep().in_group(group()) |
               weir::farm(keep(), 1 + random() % 3).in_group(group()) |
               weir::farm(keep() | keep(), 1 + random() % 3).round_robin().in_group(group()) |
               weir::set(weir::block<long, long>(keep().in_group(group())),
                         weir::block<long, long>(keep().in_group(group()))) |
               into(seen).in_group("right"));
    expect_all(seen, 1000);
  }
}

TEST_P(cut_in_two, an_error_in_one_half_ends_the_other) {
  for (const char* where : {"left", "right"}) {
    SCOPED_TRACE(where);
    const std::string failing(where);
    EXPECT_THROW(
        run_halves(weir::source([made = 0L]() mutable -> std::optional<long> { return made++; }).in_group("left") |
                   weir::node([](long item) {
                     if (item == 1000) throw std::runtime_error("no more");
                     return item;
                   }).in_group(failing) |
                   weir::sink([](long) {}).in_group("right")),
        weir::node_error);
  }
}

struct kilobyte {
  std::array<long, 128> numbers{};
};

// The far end of a cut. It completes items late, so that much is under way, and checks the size of
// each frame.
class late_link final : public weir::detail::outgoing_link {
 public:
  explicit late_link(std::uint64_t items) : all_(items) {}

  void register_sender(weir::detail::host* sender) override { sender_ = sender; }
  // The sender may know of fewer completed items than this link, so by the sender's own count at
  // least `under_way` bytes are under way.
  void send(std::size_t, frame items) override {
    const std::uint64_t under_way = (sent_ - completed_) * sizeof(kilobyte);
    sent_ += items.items;
    if (under_way >= 64 * 1024) {
      ++frames_behind_enough;
      // The last items may be few.
      if (sent_ != all_ && items.bytes.size() < 16 * 1024) ++small_frames_behind_enough;
    }
    if (sent_ == all_) completed_ = all_;
    if (sent_ - completed_ > 200) completed_ = sent_ - 70;
    sender_->notify(weir::detail::cause::any);
  }
  void close(std::size_t) override {}
  void take_news(std::vector<std::uint32_t>& channels) override { channels = {0}; }
  std::uint64_t completed(std::size_t) const override { return completed_; }
  bool abandoned(std::size_t) const override { return false; }
  void fail() override {}
  bool failed() const override { return false; }

  std::uint64_t sent() const { return sent_; }
  int frames_behind_enough = 0;
  int small_frames_behind_enough = 0;

 private:
  const std::uint64_t all_;
  std::uint64_t sent_ = 0;
  std::uint64_t completed_ = 0;
  weir::detail::host* sender_ = nullptr;
};

TEST_P(cut_in_two, small_frames_wait_for_more_items_while_enough_is_under_way) {
  constexpr long count = 3001;
  // Makes an item now and then, so that the sender always has a chance to send a single one.
  const auto slow = weir::source([made = 0L]() mutable -> std::optional<kilobyte> {
    const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(10);
    while (std::chrono::steady_clock::now() < until) {
    }
    if (made == count) return std::nullopt;
    return kilobyte{{made++}};
  });
  weir::network whole = slow.in_group("left") | weir::sink([](const kilobyte&) {}).capacity(1024).in_group("right");
  const auto link = std::make_shared<late_link>(count);
  weir::network left(weir::detail::cut(whole.resolve(2), "left", [&](const weir::detail::remote_end&) {
    return std::make_unique<weir::detail::remote_sender>(link);
  }));
  run(left);
  EXPECT_EQ(link->sent(), static_cast<std::uint64_t>(count));
  EXPECT_LE(link->small_frames_behind_enough, count / 1024 + 1)
      << "of " << link->frames_behind_enough << "; one ends where the ring does";
  EXPECT_GT(link->frames_behind_enough, 20);
}

// In a part, inner loops come first, whatever their order in the whole. If two loops have the same
// members in a group, the order shows which one is the outer one.
TEST(cut, a_loop_in_two_groups_has_a_part_in_each) {
  const auto go_on = weir::node([](long item, weir::outlet<long>& out, weir::outlet<long>&) { out.send(item); });
  std::vector<long> seen;
  weir::network net =
      numbers(3).in_group("left") |
      weir::feedback(weir::feedback((go_on.in_group("left") | weir::farm(go_on, 1).in_group("right")).named("body")) |
                     weir::farm(go_on, 2).in_group("right"))
          .named("loop") |
      into(seen).in_group("right");
  weir::graph& whole = net.resolve(2);
  std::ranges::reverse(whole.loops());
  for (auto& channel : whole.channels()) {
    if (channel.loop != weir::no_loop) channel.loop = 1 - channel.loop;
  }
  local_links links;
  const auto connect = [&](const weir::detail::remote_end& end) { return links.make(end); };
  const weir::graph left = weir::detail::cut(whole, "left", connect);
  ASSERT_EQ(left.loops().size(), 2U);
  EXPECT_EQ(left.loops()[0].part_of, 1U);
  EXPECT_EQ(left.loops()[1].path, "/loop");
  EXPECT_LE(left.loops()[0].members.size(), left.loops()[1].members.size());
  weir::network part(weir::detail::cut(whole, "left", connect));
  try {
    weir::run(part);
    FAIL();
  } catch (const weir::graph_error& problem) {
    EXPECT_NE(std::string(problem.what()).find("only a cluster can run it"), std::string::npos) << problem.what();
  }
}

// The workers of the block may be in any group.
TEST_P(cut_in_two, a_block_with_a_limit_keeps_it) {
  std::vector<long> seen;
  std::atomic<long> inside{0};
  std::atomic<long> most{0};
  const auto side = [](std::size_t i) { return std::string(i == 0 ? "left" : "right"); };
  const auto worker = weir::node([&](long n) {
    const long now = ++inside;
    for (long known = most; known < now && !most.compare_exchange_weak(known, now);) continue;
    --inside;
    return n;
  });
  run_halves(numbers(500).in_group("left") |
             (weir::farm(worker, 2).in_group(side)).named("work").in_flight(2).in_group("left") |
             into(seen).in_group("right"));
  expect_all(seen, 500);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_LE(most, 2);
}

TEST(cut, a_block_with_a_limit_has_both_ends_in_one_group) {
  std::vector<long> seen;
  weir::network net = numbers(10) | weir::farm(keep(), 2).named("keep").in_flight(2) | into(seen);
  weir::graph& whole = net.resolve(2);
  for (auto& node : whole.nodes()) node.traits.group = node.path == "/keep/order" ? "right" : "left";
  local_links links;
  weir::network part(
      weir::detail::cut(whole, "left", [&](const weir::detail::remote_end& end) { return links.make(end); }));
  try {
    weir::run(part);
    FAIL();
  } catch (const weir::node_error& problem) {
    EXPECT_NE(std::string(problem.what()).find("/keep/number: the two ends of a block"), std::string::npos)
        << problem.what();
  }
}

TEST(relay_broadcasts, stands_where_several_consumers_are_in_one_other_group) {
  const auto place = [](std::size_t i) { return std::string(i < 2 ? "left" : i < 5 ? "middle" : "right"); };
  weir::network net = weir::source([](weir::outlet<long>&) {}).named("a").in_group("left") |
                      weir::farm(weir::sink([](long) {}), 6).broadcast().named("b").in_group(place);
  const weir::graph before = net.resolve(2);
  const weir::graph after = weir::detail::relay_broadcasts(before, {});
  ASSERT_EQ(after.nodes().size(), before.nodes().size() + 1);
  const weir::node_description& relay = after.nodes().back();
  EXPECT_EQ(relay.path, "/a/to/middle");
  EXPECT_EQ(relay.traits.group, "middle");
  EXPECT_EQ(after.nodes()[relay.relays_for].path, "/a");
  EXPECT_EQ(to_string(relay.out.front().policy), "broadcast(3)");
  const weir::policy_tree& own = after.nodes().front().out.front().policy;
  EXPECT_EQ(to_string(own), "broadcast(4)");
  EXPECT_EQ(own.children[2].stands_for, (std::vector<std::size_t>{2, 3, 4}));
  for (weir::channel_id id = 0; id != before.channels().size(); ++id) {
    EXPECT_EQ(after.channels()[id].to, before.channels()[id].to);
  }
  EXPECT_EQ(weir::detail::cut_channels(after).size(), 2U);
}

TEST(relay_broadcasts, leaves_alone_what_is_given_on_demand_and_what_it_cannot_copy_from_there) {
  const auto relays = [](weir::network net) {
    const weir::graph& g = net.resolve(2);
    return weir::detail::relay_broadcasts(g, {}).nodes().size() - std::as_const(g).nodes().size();
  };
  const auto ends = weir::farm(weir::sink([](long) {}), 2).broadcast();
  EXPECT_EQ(relays(numbers(1).in_group("left") | ends.in_group("right")), 1U);
  EXPECT_EQ(relays(numbers(1).in_group("left") | ends.in_group("left")), 0U);
  EXPECT_EQ(relays(numbers(1).in_group("left") | weir::farm(ends, 3).in_group("right")), 3U);
  EXPECT_EQ(relays(numbers(1).in_group("left") | weir::farm(ends, 3).on_demand(2).in_group("right")), 0U);
  const auto shared = weir::node([](long item) { return std::make_shared<long>(item); });
  EXPECT_EQ(relays(numbers(1).in_group("left") | shared.in_group("left") |
                   weir::farm(weir::sink([](std::shared_ptr<long>) {}), 2).broadcast().in_group("right")),
            0U);
}

TEST(cut, refuses_items_without_a_codec_and_groups_without_nodes) {
  weir::network net =
      (numbers(1) | weir::node([](long item) { return std::make_unique<long>(item); })).named("make").in_group("left") |
      weir::sink([](std::unique_ptr<long>) {}).named("take").in_group("right");
  try {
    weir::detail::cut(net.resolve(1), "left", {});
    FAIL() << "nothing was thrown";
  } catch (const weir::graph_error& error) {
    EXPECT_NE(std::string(error.what()).find("/take"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("codec"), std::string::npos) << error.what();
  }
  EXPECT_THROW(weir::detail::cut(net.resolve(1), "nowhere", {}), weir::graph_error);
}

}  // namespace
