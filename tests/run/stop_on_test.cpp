// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Signals that drain, cancel, and end.

#include "weir/run/stop_on.hpp"

#include "child.hpp"
#include "networks.hpp"

#include <atomic>
#include <csignal>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

namespace {

using namespace weir_test;

class stop_on : public each_executor {};
WEIR_UNDER_EACH_EXECUTOR(stop_on);

auto without_end(std::atomic<long>& made) {
  return weir::source([&made]() -> std::optional<long> { return made++; });
}

weir::run_options with(weir::run_options options, const weir::stop_on& signals) {
  options.stop = signals.cancel_token();
  options.drain = signals.drain_token();
  return options;
}

TEST_P(stop_on, the_first_signal_drains) {
  weir::stop_on signals({SIGUSR1, SIGUSR2});
  EXPECT_EQ(signals.exit_code(), 0);
  std::atomic<long> made{0};
  long seen = 0;
  bool finished = false;
  struct counting {
    long* seen;
    bool* finished;
    void process(long) { ++*seen; }
    void finish() { *finished = true; }
  };
  weir::network net = without_end(made) | weir::sink(counting{&seen, &finished});
  weir::running now = weir::start(net, with(GetParam().options, signals));
  while (made == 0) std::this_thread::yield();
  ::raise(SIGUSR2);
  now.wait();
  EXPECT_EQ(seen, made);
  EXPECT_TRUE(finished);
  EXPECT_EQ(signals.signal(), SIGUSR2);
  EXPECT_EQ(signals.exit_code(), 128 + SIGUSR2);
}

// The source does not end at the first signal, because it waits for an event that does not come.
TEST_P(stop_on, the_second_signal_cancels) {
  weir::stop_on signals({SIGUSR1});
  std::atomic<bool> asked{false};
  weir::network net = weir::source([&]() -> std::optional<long> {
                        asked = true;
                        while (!signals.cancel_token().stop_requested()) std::this_thread::yield();
                        return 1;
                      }) |
                      weir::sink([](long) {});
  weir::running now = weir::start(net, with(GetParam().options, signals));
  while (!asked) std::this_thread::yield();
  ::raise(SIGUSR1);
  ::raise(SIGUSR1);
  now.wait();
  EXPECT_EQ(signals.exit_code(), 128 + SIGUSR1);
}

class stopping_signals_of_a_child : public testing::Test {
 protected:
  void SetUp() override {
    if (!threads_start_in_a_child) GTEST_SKIP() << "the thread sanitizer starts no threads in a forked child";
  }
};

TEST_F(stopping_signals_of_a_child, end_it_at_the_third) {
  const int code = in_a_child([] {
    weir::stop_on signals({SIGUSR1});
    for (int i = 0; i != 2; ++i) ::raise(SIGUSR1);
    while (!signals.cancel_token().stop_requested()) std::this_thread::yield();
    ::raise(SIGUSR1);
    return true;
  });
  EXPECT_EQ(code, 1000 + SIGUSR1);
}

TEST_F(stopping_signals_of_a_child, are_its_own) {
  weir::stop_on signals({SIGUSR1});
  EXPECT_EQ(in_a_child([] { return ::raise(SIGUSR1) != 0; }), 1000 + SIGUSR1);
  EXPECT_EQ(signals.signal(), 0);
}

// This holds as well if the parent has such signals before and after the fork.
TEST_F(stopping_signals_of_a_child, are_for_a_stop_on_of_its_own) {
  for (int round = 0; round != 20; ++round) {
    weir::stop_on signals({SIGUSR1});
    EXPECT_EQ(in_a_child([] {
                weir::stop_on own({SIGUSR1});
                ::raise(SIGUSR1);
                while (!own.drain_token().stop_requested()) std::this_thread::yield();
                return own.exit_code() == 128 + SIGUSR1;
              }),
              0);
    EXPECT_EQ(signals.signal(), 0);
  }
}

// Its destructor would wait for a thread that the child does not have.
TEST_F(stopping_signals_of_a_child, go_back_to_who_had_them) {
  static std::atomic<int> called{0};
  const auto before = std::signal(SIGUSR1, [](int) { ++called; });
  std::optional<weir::stop_on> signals(std::in_place, std::initializer_list<int>{SIGUSR1});
  EXPECT_EQ(in_a_child([&] {
              signals.reset();
              ::raise(SIGUSR1);
              return called == 1;
            }),
            0);
  ::raise(SIGUSR1);
  EXPECT_EQ(signals->signal(), SIGUSR1);
  signals.reset();
  EXPECT_EQ(called, 0);
  std::signal(SIGUSR1, before);
}

TEST(stopping_signals, named_twice_are_given_back) {
  static std::atomic<int> called{0};
  const auto before = std::signal(SIGUSR1, [](int) { ++called; });
  { weir::stop_on signals({SIGUSR1, SIGUSR1}); }
  ::raise(SIGUSR1);
  EXPECT_EQ(called, 1);
  std::signal(SIGUSR1, before);
}

TEST(stopping_signals, that_are_ignored_stay_so) {
  const auto before = std::signal(SIGUSR1, SIG_IGN);
  {
    weir::stop_on signals({SIGUSR1});
    ::raise(SIGUSR1);
    EXPECT_EQ(signals.signal(), 0);
  }
  EXPECT_EQ(std::signal(SIGUSR1, before), SIG_IGN);
}

TEST(stopping_signals, have_their_handlers_back_afterwards) {
  static std::atomic<int> called{0};
  const auto before = std::signal(SIGUSR1, [](int) { ++called; });
  { weir::stop_on signals({SIGUSR1}); }
  ::raise(SIGUSR1);
  EXPECT_EQ(called, 1);
  std::signal(SIGUSR1, before);
}

TEST(stopping_signals, are_refused_where_that_makes_no_sense) {
  EXPECT_THROW(weir::stop_on({SIGKILL}), std::invalid_argument);
  EXPECT_THROW(weir::stop_on({1000}), std::invalid_argument);
  weir::stop_on signals({SIGUSR1});
  EXPECT_THROW(weir::stop_on({SIGUSR2}), std::logic_error);
}

}  // namespace
