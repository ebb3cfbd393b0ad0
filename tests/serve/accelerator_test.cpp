// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Accelerators: blocks with open ends, used from ordinary threads.

#include "weir/serve/accelerator.hpp"

#include "counted.hpp"
#include "networks.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <latch>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

using namespace weir_test;
using namespace std::chrono_literals;

class accelerator : public each_executor {
 protected:
  template <class In, class Out>
  auto start(const weir::block<In, Out>& what) {
    return weir::start(what, GetParam().options);
  }
};
WEIR_UNDER_EACH_EXECUTOR(accelerator);

auto plus_one() {
  return weir::node([](long item) { return item + 1; });
}

TEST_P(accelerator, one_item_at_a_time) {
  auto adder = start(plus_one() | plus_one());
  for (long i = 0; i != 2000; ++i) {
    adder.send(i);
    ASSERT_EQ(adder.receive(), i + 2);
  }
  adder.close();
  EXPECT_EQ(adder.receive(), std::nullopt);
  EXPECT_TRUE(adder.ended());
  const weir::report made = adder.wait();
  EXPECT_EQ(made.nodes[1].items, 2000U);
  EXPECT_EQ(made.nodes.front().path, "/entry");
  EXPECT_EQ(made.nodes.back().path, "/exit");
}

TEST_P(accelerator, a_stream_keeps_its_order) {
  auto adder = start(plus_one());
  std::jthread sender([&] {
    for (long i = 0; i != 200'000; ++i) adder.send(i);
    adder.close();
  });
  long expected = 0;
  while (const std::optional<long> result = adder.receive()) ASSERT_EQ(*result, ++expected);
  EXPECT_EQ(expected, 200'000);
  EXPECT_EQ(adder.wait().nodes.back().items, 200'000U);
}

TEST_P(accelerator, many_senders_and_receivers) {
  constexpr int threads = 8;
  constexpr long each = 20'000;
  auto farm = start(weir::farm([](long item) { return item; }, 3));
  std::atomic<long> sum{0};
  std::atomic<long> count{0};
  {
    std::vector<std::jthread> receivers;
    for (int i = 0; i != threads; ++i) {
      receivers.emplace_back([&] {
        while (const std::optional<long> result = farm.receive()) {
          sum += *result;
          ++count;
        }
      });
    }
    {
      std::vector<std::jthread> senders;
      for (int i = 0; i != threads; ++i) {
        senders.emplace_back([&, i] {
          for (long n = 0; n != each; ++n) farm.send(i * each + n);
        });
      }
    }
    farm.close();
  }
  EXPECT_EQ(count, threads * each);
  EXPECT_EQ(sum, threads * each * (threads * each - 1) / 2);
}

TEST_P(accelerator, hundreds_of_requests_at_a_time) {
  constexpr int threads = 200;
  constexpr int each = 50;
  auto farm = start(weir::farm([](long item) { return item; }, 2));
  std::atomic<long> sum{0};
  {
    std::vector<std::jthread> callers;
    for (int i = 0; i != threads; ++i) {
      callers.emplace_back([&] {
        for (int n = 0; n != each; ++n) {
          farm.send(1);
          sum += farm.receive().value();
        }
      });
    }
  }
  EXPECT_EQ(sum, threads * each);
  EXPECT_EQ(farm.try_receive(), std::nullopt);
  EXPECT_FALSE(farm.ended());
}

TEST_P(accelerator, move_only_items_and_none_is_left) {
  census::reset();
  {
    auto passing = start(weir::node([](counted item) { return item; }));
    for (long i = 0; i != 100; ++i) passing.send(counted(i));
    for (long i = 0; i != 50; ++i) EXPECT_EQ(passing.receive()->value(), i);
  }
  EXPECT_EQ(census::alive, 0);
}

TEST_P(accelerator, of_a_block_without_an_input) {
  auto source = start(numbers(1000) | plus_one());
  long sum = 0;
  while (const std::optional<long> result = source.receive()) sum += *result;
  EXPECT_EQ(sum, 1000L * 1001 / 2);
  source.wait();
}

TEST_P(accelerator, of_a_block_without_an_output) {
  long sum = 0;
  auto sink = start(plus_one() | weir::sink([&](long item) { sum += item; }));
  for (long i = 0; i != 1000; ++i) sink.send(i);
  sink.close();
  sink.wait();
  EXPECT_EQ(sum, 1000L * 1001 / 2);
}

TEST_P(accelerator, finish_may_send_results) {
  struct counting {
    long seen = 0;
    void process(long, weir::outlet<long>&) { ++seen; }
    void finish(weir::outlet<long>& out) { out.send(seen); }
  };
  auto counter = start(weir::node(counting{}));
  for (long i = 0; i != 1000; ++i) counter.send(i);
  counter.close();
  EXPECT_EQ(counter.receive(), 1000);
  EXPECT_EQ(counter.receive(), std::nullopt);
}

TEST_P(accelerator, is_bounded_and_gives_items_back) {
  auto slow = start(weir::node([](long item) { return item; }).capacity(16));
  std::size_t sent = 0;
  std::optional<weir::refused<long>> refused;
  // Sends until the block is full from end to end; items under way may still make some room.
  for (int refusals = 0; refusals != 50; std::this_thread::yield()) {
    refused = slow.try_send(static_cast<long>(sent));
    if (!refused) {
      ++sent;
    } else {
      ++refusals;
    }
  }
  EXPECT_EQ(refused->why, weir::refusal::full);
  EXPECT_EQ(refused->item, static_cast<long>(sent));
  EXPECT_LT(sent, 2 * 32768U + 4096 + 200);  // both ends, and the items between them
  slow.close();
  refused = slow.try_send(7);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->why, weir::refusal::closed);
  EXPECT_EQ(refused->item, 7);
  EXPECT_THROW(slow.send(8), weir::stopped);
  std::size_t received = 0;
  while (slow.receive()) ++received;
  EXPECT_EQ(received, sent);
}

// The most items of a type that wait in a channel without any room for more; and at an open end.
template <class T>
constexpr long few = std::is_same_v<T, large> ? 8 : 128;  // large: 2 MiB; else it is not known what they own
template <class T>
constexpr long few_at_end = std::max(few<T>, 16L);

TEST_P(accelerator, takes_few_items_that_own_much_memory) {
  const auto expect_few = [&]<class T>(std::type_identity<T>) {
    census::reset();
    std::latch all_sent(1);
    auto stands_still = start(weir::sink([&](const T&) { all_sent.wait(); }));
    for (long i = 0; i != 1000; ++i) {
      if (stands_still.try_send(T(i))) std::this_thread::yield();
    }
    EXPECT_LE(census::peak, few_at_end<T> + few<T> + 3);  // the end, the channel behind it, and those in hand
    EXPECT_GE(census::peak, few_at_end<T>);
    all_sent.count_down();
    stands_still.close();
    stands_still.wait();
    EXPECT_EQ(census::alive, 0);
  };
  expect_few(std::type_identity<large>());
  expect_few(std::type_identity<counted>());
}

TEST_P(accelerator, holds_few_results_that_own_much_memory) {
  const auto expect_few = [&]<class T>(std::type_identity<T>) {
    constexpr long most = few<T> + few_at_end<T> + 4;  // the channel, the end behind it, and those in hand
    census::reset();
    auto makes = start(weir::source([made = 0L]() mutable -> std::optional<T> {
      if (made == 1000) return std::nullopt;
      return T(made++);
    }));
    for (int i = 0; i != 5000 && census::peak <= most; ++i) std::this_thread::yield();
    long received = 0;
    while (const std::optional<T> result = makes.receive()) EXPECT_EQ(result->value(), received++);
    EXPECT_EQ(received, 1000);
    EXPECT_LE(census::peak, most);
    makes.wait();
    EXPECT_EQ(census::alive, 0);
  };
  expect_few(std::type_identity<large>());
  expect_few(std::type_identity<counted>());
}

// Claims to own more than an end may hold.
struct huge : counted {
  using counted::counted;
  friend std::size_t owned_bytes(const huge&) noexcept { return std::size_t{1} << 30; }
};

// One thread may send this many, and then receive their results.
TEST_P(accelerator, each_end_holds_sixteen_items_whatever_they_own) {
  auto passes_on = start(weir::node([](huge item) { return item; }));
  for (int round = 0; round != 3; ++round) {
    for (long i = 0; i != 16; ++i) passes_on.send(huge(i));
    for (long i = 0; i != 16; ++i) EXPECT_EQ(passes_on.receive()->value(), i);
  }
}

struct measured : counted {
  using counted::counted;
  static inline std::atomic<int> times{0};
  friend std::size_t owned_bytes(const measured&) noexcept { return ++times, std::size_t{1} << 18; }
};

// A refused item is not measured, so it neither holds up other senders nor changes the limit.
TEST_P(accelerator, polling_a_full_end_measures_no_items) {
  measured::times = 0;
  std::latch all_sent(1);
  auto stands_still = start(weir::sink([&](const measured&) { all_sent.wait(); }));
  int refused = 0;
  for (long i = 0; refused != 1000; ++i) {
    if (stands_still.try_send(measured(i))) ++refused;
  }
  EXPECT_LT(measured::times, 500);  // those that were sent, and some in the network
  all_sent.count_down();
  stands_still.close();
  stands_still.wait();
}

// Owns nothing, or much.
struct uneven : counted {
  using counted::counted;
  friend std::size_t owned_bytes(const uneven& item) noexcept {
    return item.value() / 1000 % 2 == 0 ? 0 : std::size_t{1} << 20;
  }
};

// The limits of both ends fall and rise while threads wait there.
TEST_P(accelerator, goes_on_whatever_the_items_own) {
  constexpr long count = 5000;
  auto passes_on = start(weir::node([](uneven item) { return item; }));
  std::jthread sender([&] {
    for (long i = 0; i != count; ++i) passes_on.send(uneven(i));
    passes_on.close();
  });
  long received = 0;
  while (const std::optional<uneven> result = passes_on.receive()) ASSERT_EQ(result->value(), received++);
  EXPECT_EQ(received, count);
}

TEST_P(accelerator, a_waiting_sender_goes_on_when_results_are_received) {
  auto slow = start(plus_one());
  std::atomic<long> sent{0};
  std::jthread sender([&] {
    for (long i = 0; i != 100'000; ++i) {
      slow.send(i);
      ++sent;
    }
    slow.close();
  });
  while (sent < 8000) std::this_thread::yield();
  long received = 0;
  while (slow.receive()) ++received;
  EXPECT_EQ(received, 100'000);
}

struct broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class Call>
void expect_broken(Call&& call) {
  try {
    call();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const weir::node_error& error) {
    EXPECT_STREQ(error.what(), "/weak: no more");
    EXPECT_THROW(std::rethrow_if_nested(error), broken);
  }
}

TEST_P(accelerator, an_error_comes_out_of_every_call) {
  auto weak = start(weir::node([](long item) {
                      if (item == 500) throw broken("no more");
                      return item;
                    }).named("weak"));
  std::vector<std::jthread> threads;
  for (int i = 0; i != 3; ++i) {
    threads.emplace_back([&] {
      expect_broken([&] {
        for (long n = 0;; ++n) weak.send(n);
      });
    });
    threads.emplace_back([&] {
      expect_broken([&] {
        while (weak.receive()) {
        }
      });
    });
    threads.emplace_back([&] { expect_broken([&] { weak.wait(); }); });
  }
  threads.clear();
  expect_broken([&] { weak.send(1); });
  expect_broken([&] { static_cast<void>(weak.try_send(1)); });
  expect_broken([&] { weak.receive(); });
  expect_broken([&] { weak.try_receive(); });
  expect_broken([&] { weak.wait(); });
}

TEST_P(accelerator, cancel_stops_those_who_wait) {
  auto passing = start(plus_one());
  std::vector<std::jthread> threads;
  std::atomic<int> at_work{0};
  for (int i = 0; i != 3; ++i) {
    threads.emplace_back([&] {
      ++at_work;
      EXPECT_THROW(passing.receive(), weir::stopped);
    });
  }
  while (at_work != 3) std::this_thread::yield();
  passing.cancel();
  threads.clear();
  EXPECT_THROW(passing.send(1), weir::stopped);
  EXPECT_THROW(static_cast<void>(passing.try_send(1)), weir::stopped);
  EXPECT_THROW(passing.receive(), weir::stopped);
  EXPECT_NO_THROW(passing.wait());
}

TEST_P(accelerator, cancel_stops_a_sender_that_waits_for_room) {
  auto passing = start(plus_one());
  std::atomic<long> sent{0};
  std::jthread sender([&] {
    try {
      for (long i = 0;; ++i, ++sent) passing.send(i);
    } catch (const weir::stopped&) {
    }
  });
  while (sent < 8000) std::this_thread::yield();
  passing.cancel();
  sender.join();
  passing.wait();
}

TEST_P(accelerator, drain_ends_the_stream_and_loses_nothing) {
  auto passing = start(plus_one());
  std::atomic<long> sent{0};
  std::jthread sender([&] {
    try {
      for (long i = 0;; ++i, ++sent) passing.send(i);
    } catch (const weir::stopped&) {
    }
  });
  while (sent < 1000) std::this_thread::yield();
  passing.drain();
  long received = 0;
  while (passing.receive()) ++received;
  sender.join();
  EXPECT_EQ(received, sent);
  passing.wait();
}

TEST_P(accelerator, a_node_that_ends_early_closes_it) {
  auto first_ten = start(weir::node([seen = 0](long item) mutable {
    if (++seen > 10) throw weir::stopped{};
    return item;
  }));
  EXPECT_THROW(
      {
        for (long i = 0;; ++i) first_ten.send(i);
      },
      weir::stopped);
  long received = 0;
  while (first_ten.receive()) ++received;
  EXPECT_EQ(received, 10);
  EXPECT_EQ(first_ten.try_send(1)->why, weir::refusal::closed);
  first_ten.wait();
}

TEST_P(accelerator, a_stop_token_and_the_destructor_cancel_it) {
  std::stop_source stop;
  weir::run_options options = GetParam().options;
  options.stop = stop.get_token();
  auto passing = weir::start(plus_one(), options);
  std::jthread receiver([&] { EXPECT_THROW(passing.receive(), weir::stopped); });
  stop.request_stop();
  receiver.join();
  const auto dropped = start(plus_one());
}

TEST_P(accelerator, tells_how_far_it_is) {
  auto passing = start(plus_one());
  for (long i = 0; i != 100; ++i) {
    passing.send(i);
    passing.receive();
  }
  while (passing.report_so_far().nodes[1].items != 100) std::this_thread::yield();
  passing.cancel();
  passing.wait();
  EXPECT_TRUE(passing.report_so_far().ended);
}

TEST(accelerator, refuses_a_graph_that_cannot_work) {
  EXPECT_THROW(static_cast<void>(weir::start(weir::farm([](long item) { return item; }, 2) |
                                             weir::farm([](long item) { return item; }, 3).one_to_one())),
               weir::graph_error);
}

TEST(accelerator, refuses_when_there_are_no_threads_left) {
  auto greedy = weir::node([](long item) { return item; }).on_own_thread();
  auto many = weir::start(greedy | greedy | greedy | greedy | greedy | greedy, {.workers = 1, .max_threads = 2});
  EXPECT_THROW(
      {
        for (;;) many.send(1);
      },
      weir::node_error);
  EXPECT_THROW(many.receive(), weir::node_error);
}

}  // namespace
