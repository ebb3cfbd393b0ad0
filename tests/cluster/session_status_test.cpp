// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Threads that wait for a change, or for the failure that ends all waiting.

#include "cluster/member/session_status.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

using weir::cluster::session_status;
using namespace std::chrono_literals;

std::exception_ptr failure(const std::string& text) { return std::make_exception_ptr(std::runtime_error(text)); }

std::string thrown_by(const std::function<void()>& act) {
  try {
    act();
  } catch (const std::runtime_error& problem) {
    return problem.what();
  }
  return "";
}

TEST(session_status, wakes_those_that_wait_for_a_change) {
  session_status status;
  bool there = false;
  std::thread changes([&] {
    const std::lock_guard lock(status.mutex());
    there = true;
    status.changed();
  });
  status.wait_until([&] { return there; });
  EXPECT_TRUE(status.wait_until(1h, [&] { return there; }));
  changes.join();
}

TEST(session_status, ends_all_waiting_by_the_first_failure) {
  session_status status;
  EXPECT_FALSE(status.has_failed());
  std::thread fails([&] {
    status.fail(failure("one"), [] {});
    status.fail(failure("other"), [] { ADD_FAILURE() << "it is not the first one"; });
  });
  const auto never = [] { return false; };
  EXPECT_EQ(thrown_by([&] { status.wait_until(never); }), "one");
  status.wait_for_failure(1h);
  EXPECT_EQ(thrown_by([&] { status.wait_until(1h, never); }), "one");
  fails.join();
  EXPECT_TRUE(status.has_failed());
}

TEST(session_status, prefers_what_has_happened_to_a_failure) {
  session_status status;
  status.fail(failure("late"), [] {});
  EXPECT_EQ(thrown_by([&] { status.wait_until([] { return true; }); }), "");
}

TEST(session_status, says_that_the_time_is_up) {
  session_status status;
  EXPECT_FALSE(status.wait_until(1ms, [] { return false; }));
}

}  // namespace
