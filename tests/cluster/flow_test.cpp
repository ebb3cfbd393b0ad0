// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Limits on the frames, items and bytes under way between groups, and the nodes that wait at these
// limits.

#include "weir/item/bytes.hpp"
#include "weir/item/codec.hpp"

#include "clusters.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace flow_test {

/// An item that is counted when it is encoded.
struct noted {
  long number = 0;
  std::vector<std::byte> ballast;
};

/// Number of items that have been sent, and that have been completed. All groups are in this
/// process.
struct tally {
  static inline std::atomic<long> encoded{0};
  static inline std::atomic<long> completed{0};
  static inline std::atomic<long> most_under_way{0};

  static void reset() { encoded = completed = most_under_way = 0; }
  static void encode() {
    // If an item is completed meanwhile, this number is less than it was, never more.
    const long under_way = ++encoded - completed;
    long most = most_under_way;
    while (under_way > most && !most_under_way.compare_exchange_weak(most, under_way)) {
    }
  }
};

}  // namespace flow_test

template <>
struct weir::codec<flow_test::noted> {
  static void encode(const flow_test::noted& item, byte_sink& out) {
    flow_test::tally::encode();
    append(out, item.number);
    append(out, std::uint64_t{item.ballast.size()});
    out.append(item.ballast.data(), item.ballast.size());
  }
  static flow_test::noted decode(byte_source& in) {
    flow_test::noted made;
    std::uint64_t size = 0;
    in.read(made.number);
    in.read(size);
    const auto bytes = in.take(static_cast<std::size_t>(size));
    made.ballast.assign(bytes.begin(), bytes.end());
    return made;
  }
};

namespace {

using namespace weir_test;
using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;
using flow_test::noted;
using flow_test::tally;
using weir::cluster_member;
using weir::link_transport;

auto notes(long count, std::size_t ballast) {
  return weir::source([next = 0L, count, ballast]() mutable -> std::optional<noted> {
    if (next == count) return std::nullopt;
    return noted{next++, std::vector<std::byte>(ballast)};
  });
}

void expect_no_problems(const std::map<std::string, std::exception_ptr>& problems) {
  for (const auto& [group, problem] : problems) EXPECT_EQ(text_of(problem), "") << group;
}

void wait_until(const std::function<bool()>& is) {
  const auto until = std::chrono::steady_clock::now() + 60s;
  while (!is() && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  EXPECT_TRUE(is()) << "in 60 s";
}

class flow : public testing::TestWithParam<link_transport> {
 protected:
  weir::cluster_configuration groups(const std::vector<std::string>& names) const {
    weir::cluster_configuration made = groups_named(names);
    made.transport = GetParam();
    tally::reset();
    return made;
  }
  static weir::run_options on_threads(cluster_member& member) {
    return {.executor = weir::executor::threads, .member = &member};
  }
};

std::string transport_name(const testing::TestParamInfo<link_transport>& info) {
  constexpr std::array names{"automatic", "tcp", "shm", "inproc"};
  return names[static_cast<std::size_t>(info.param)];
}
INSTANTIATE_TEST_SUITE_P(over, flow, testing::Values(link_transport::tcp, link_transport::shm, link_transport::inproc),
                         transport_name);

// A frame counts until the last of its items is completed. So the items that were encoded and are
// not completed never exceed those that the allowed frames hold.
TEST_P(flow, has_no_more_frames_under_way_than_the_configuration_says) {
  static constexpr long count = 2000;
  for (const auto& [batch, frames] : {std::pair<long, long>{1, 1}, {1, 5}, {4, 1}, {7, 3}}) {
    weir::cluster_configuration configuration = groups({"G1", "G2"});
    configuration.groups[0].batch_size = static_cast<std::size_t>(batch);
    configuration.groups[0].frames_under_way = static_cast<std::size_t>(frames);
    cluster_in_process cluster(configuration);
    expect_no_problems(cluster.in_each_group([&, least = frames](cluster_member& member) {
      weir::network net = notes(count, 0).in_group("G1") | weir::sink([least](const noted& item) {
                                                             // If no other item is ready, one item
                                                             // is a frame.
                                                             if (item.number == 0)
                                                               wait_until([least] { return tally::encoded >= least; });
                                                             ++tally::completed;
                                                           }).in_group("G2");
      weir::run(net, on_threads(member));
    }));
    EXPECT_EQ(tally::completed, count);
    EXPECT_LE(tally::most_under_way, batch * frames) << batch << " items a frame, " << frames << " frames";
    EXPECT_GE(tally::most_under_way, frames) << batch << " items a frame, " << frames << " frames";
  }
}

TEST_P(flow, channels_within_a_group_have_the_room_that_the_configuration_says) {
  weir::cluster_configuration configuration = groups({"G1", "G2"});
  configuration.groups[0].channel_items = 32;
  cluster_in_process cluster(configuration);
  const auto same = [] { return weir::node([](long i) { return i; }); };
  expect_no_problems(cluster.in_each_group([&](cluster_member& member) {
    long sum = 0;
    weir::network net = (numbers(1000).named("a") | same().named("b") | same().named("c").capacity(8)).in_group("G1") |
                        (same().named("d") | weir::sink([&](long i) { sum += i; }).named("e")).in_group("G2");
    const weir::report report = weir::run(net, on_threads(member));
    if (!report.in_result_group) return;
    EXPECT_EQ(sum, 999 * 1000 / 2);
    std::map<std::string, std::size_t> capacities;
    for (const weir::channel_report& each : report.channels) capacities[each.from + each.to] = each.capacity;
    EXPECT_EQ(capacities.at("/a/b"), 32U);
    EXPECT_EQ(capacities.at("/b/c"), 8U) << "what the program says counts";
    EXPECT_GT(capacities.at("/c/d"), 32U) << "that leads to another group";
    EXPECT_GT(capacities.at("/d/e"), 32U) << "that is in another group";
  }));
}

// Without a setting, bytes are limited to 1 MiB, a frame of 60 KiB and an item.
TEST_P(flow, has_no_more_bytes_under_way_than_a_megabyte_and_a_frame) {
  constexpr std::size_t ballast = 50'000;
  static constexpr long most = (1 << 20) / ballast + 2;
  std::atomic<bool> awake{false};
  cluster_in_process cluster(groups({"G1", "G2"}));
  expect_no_problems(cluster.in_each_group([&](cluster_member& member) {
    weir::network net = notes(200, ballast).in_group("G1") | weir::sink([&](const noted&) {
                                                               // Sleeps until the sender has sent
                                                               // all that it may.
                                                               if (!awake.exchange(true))
                                                                 wait_until([] { return tally::encoded >= most - 3; });
                                                               ++tally::completed;
                                                             }).in_group("G2");
    weir::run(net, on_threads(member));
  }));
  EXPECT_LE(tally::most_under_way, most);
  EXPECT_EQ(tally::completed, 200);
}

// Two channels share a link. While the consumer of one sleeps, the other channel goes on
// undisturbed, and memory use stays bounded.
TEST_P(flow, a_consumer_that_sleeps_blocks_no_channel_but_its_own) {
  constexpr long others = 200'000;
  constexpr std::size_t ballast = 10'000;
  std::mutex mutex;
  std::condition_variable changed;
  bool others_are_done = false;
  bool slept = false;
  long sent_to_the_sleeper = 0;
  cluster_in_process cluster(groups({"G1", "G2"}));
  expect_no_problems(cluster.in_each_group([&](cluster_member& member) {
    long arrived = 0;
    weir::network net = weir::split(notes(2000, ballast), numbers(others)).in_group("G1") |
                        weir::split(weir::sink([&](const noted& item) {
                                      ++tally::completed;
                                      if (item.number != 0) return;
                                      std::unique_lock lock(mutex);
                                      slept = changed.wait_for(lock, 60s, [&] { return others_are_done; });
                                      sent_to_the_sleeper = tally::encoded;
                                    }),
                                    weir::sink([&](long) {
                                      if (++arrived != others) return;
                                      const std::lock_guard lock(mutex);
                                      others_are_done = true;
                                      changed.notify_all();
                                    }))
                            .in_group("G2");
    weir::run(net, on_threads(member));
  }));
  EXPECT_TRUE(slept) << "the other channel has waited for the sleeper";
  EXPECT_LE(sent_to_the_sleeper, (1 << 20) / static_cast<long>(ballast) + 64'000 / static_cast<long>(ballast) + 2);
  EXPECT_EQ(tally::completed, 2000);
}

// Resident memory of this process, which runs all groups.
std::int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t all = 0;
  std::int64_t resident = 0;
  file >> all >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

// Returns when `count` has not changed for `milliseconds`; `count` is kept by the producer of a
// channel that fills.
void until_it_stands_still(const std::atomic<long>& count, int milliseconds) {
  const auto limit = steady::now() + 60s;
  long before = count;
  for (int still = 0; still != milliseconds / 10; ++still) {
    if (steady::now() > limit) {
      ADD_FAILURE() << "channels of limited capacity are not full after a minute";
      return;
    }
    std::this_thread::sleep_for(10ms);
    if (count != before) still = 0;
    before = count;
  }
}

// The consumer of one channel sleeps, while another channel goes on. Once both channels have been
// full, no more memory is needed. The test lasts a minute over TCP if tests may take long
// (WEIR_LONG_TESTS), some seconds otherwise, and in any case until the other channel has carried
// `least` items; an idle machine carries ten times as many.
TEST_P(flow, no_memory_fills_while_a_consumer_sleeps_for_long) {
#ifndef WEIR_EXPLORE
  GTEST_SKIP() << "that long in one of our builds is enough";
#endif
  const bool may_take_long = std::getenv("WEIR_LONG_TESTS") != nullptr;
  const auto asleep = !may_take_long ? 4s : GetParam() == link_transport::tcp ? 60s : 10s;
  const long least = 10'000 * (asleep / 1s);
  const auto start = steady::now();
  std::array<std::int64_t, 4> most_in_quarter{};
  std::atomic<long> made{0};
  std::atomic<bool> slept{false};
  bool is_long_enough = false;
  std::mutex mutex;
  std::condition_variable changed;
  cluster_in_process cluster(groups({"G1", "G2"}));
  expect_no_problems(cluster.in_each_group([&](cluster_member& member) {
    const auto until_the_sleeper_wakes = weir::source([&, next = 0L]() mutable -> std::optional<long> {
      if (slept) return std::nullopt;
      if (++next % 100 == 0) std::this_thread::sleep_for(1ms);
      made = next;
      return next;
    });
    long arrived = 0;
    std::size_t quarter = 0;
    weir::network net = weir::split(notes(5000, 10'000), until_the_sleeper_wakes).in_group("G1") |
                        weir::split(weir::sink([&](const noted& item) {
                                      if (item.number != 0) return;
                                      std::unique_lock lock(mutex);
                                      EXPECT_TRUE(changed.wait_for(lock, asleep + 100s, [&] { return is_long_enough; }))
                                          << "the other channel has waited for the sleeper";
                                      slept = true;
                                    }),
                                    weir::sink([&](long) {
                                      if (slept) return;
                                      if (++arrived == 1) until_it_stands_still(made, 1000);
                                      if (arrived % 1000 != 0) return;
                                      const long now =
                                          std::min<long>(4 * (steady::now() - start) / asleep, 4 * arrived / least);
                                      if (now > static_cast<long>(quarter)) ++quarter;  // every quarter is measured
                                      if (quarter < 4) {
                                        most_in_quarter[quarter] = std::max(most_in_quarter[quarter], resident_bytes());
                                        return;
                                      }
                                      const std::lock_guard lock(mutex);
                                      is_long_enough = true;
                                      changed.notify_all();
                                    }))
                            .in_group("G2");
    weir::run(net, on_threads(member));
  }));
  // After half of the time all memory that is needed has been allocated.
  EXPECT_GT(most_in_quarter[2], 0);
  EXPECT_GT(most_in_quarter[3], 0);
  EXPECT_LE(most_in_quarter[3] - most_in_quarter[2], 512 * 1024) << "of some hundred thousand items in a second";
}

// One consumer begins only when all channels are full, and lets them fill again after each 300
// items. None of fifteen senders loses an item, no channel holds more than it may, and all senders
// progress alike.
TEST_P(flow, fifteen_senders_to_one_receiver_are_bounded_and_served_alike) {
  static constexpr std::size_t senders = 15;
  static constexpr long each = 400;
  constexpr std::size_t ballast = 20'000;
  std::vector<std::string> names{"to"};
  for (std::size_t i = 0; i != senders; ++i) names.push_back("from" + std::to_string(i));
  cluster_in_process cluster(groups(names));
  std::array<long, senders> from{};
  std::array<long, senders> when_one_has_ended{};
  expect_no_problems(cluster.in_each_group([&](cluster_member& member) {
    const auto notes_of = [](std::size_t number) {
      return weir::source([next = 0L, number]() mutable -> std::optional<noted> {
        if (next == each) return std::nullopt;
        return noted{static_cast<long>(number) * each + next++, std::vector<std::byte>(ballast)};
      });
    };
    std::vector<weir::block<void, noted>> sources;
    for (std::size_t i = 0; i != senders; ++i) sources.push_back(notes_of(i));
    bool begun = false;
    weir::network net = weir::set(sources).in_group([](std::size_t i) { return "from" + std::to_string(i); }) |
                        weir::sink([&](const noted& item) {
                          // All senders have sent: fourteen of them send no more than 56 items
                          // each, at most four in a frame.
                          if (!std::exchange(begun, true)) wait_until([] { return tally::encoded > 14 * 56; });
                          if (tally::completed % 300 == 0) until_it_stands_still(tally::encoded, 100);
                          long& seen = from[static_cast<std::size_t>(item.number / each)];
                          EXPECT_EQ(item.number % each, seen) << "one is lost, or out of order";
                          ++tally::completed;
                          if (++seen == each && when_one_has_ended[0] == 0) when_one_has_ended = from;
                        }).in_group("to");
    weir::run(net, {.executor = weir::executor::pool, .workers = 1, .member = &member});
  }));
  for (const long seen : from) EXPECT_EQ(seen, each);
  // 1 MiB, a frame of 60 KiB and an item for each sender.
  EXPECT_LE(tally::most_under_way,
            static_cast<long>(senders) * ((1 << 20) + 60 * 1024) / static_cast<long>(ballast) + 2 * 15);
  const auto [least, most] = std::ranges::minmax(when_one_has_ended);
  EXPECT_GE(2 * least, most) << testing::PrintToString(when_one_has_ended);
}

}  // namespace
