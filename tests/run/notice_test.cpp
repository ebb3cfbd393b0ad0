// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Notices: who gets what the library has to say, and that it prints nothing else.

#include "weir/graph/notice.hpp"

#include "graph/give_notice.hpp"
#include "networks.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using namespace weir_test;
using weir::detail::give_notice;
using weir::detail::notice_wait;

// Standard error of this process goes into a pipe while such an object lives.
class standard_error {
 public:
  explicit standard_error(int to) : before_(::dup(STDERR_FILENO)) { ::dup2(to, STDERR_FILENO); }
  standard_error(const standard_error&) = delete;
  standard_error& operator=(const standard_error&) = delete;
  ~standard_error() {
    ::dup2(before_, STDERR_FILENO);
    ::close(before_);
  }

 private:
  int before_;
};

template <class Act>
std::string printed_by(Act&& act) {
  testing::internal::CaptureStderr();
  act();
  return testing::internal::GetCapturedStderr();
}

// Collects the notices while it lives.
class collected {
 public:
  collected()
      : before_(weir::set_notice_handler([kept = lines_](std::string_view text) { kept->emplace_back(text); })) {}
  collected(const collected&) = delete;
  collected& operator=(const collected&) = delete;
  ~collected() { weir::set_notice_handler(before_); }

  const std::vector<std::string>& lines() const { return *lines_; }

 private:
  std::shared_ptr<std::vector<std::string>> lines_ = std::make_shared<std::vector<std::string>>();
  weir::notice_handler before_;
};

class notice : public each_executor {};
WEIR_UNDER_EACH_EXECUTOR(notice);

constexpr const char* lost_trace = "can't write the trace '/dev/full' (No space left on device); it is left empty";

void run_with_a_trace_that_is_lost(weir::run_options options) {
  options.trace.file = "/dev/full";
  std::vector<long> seen;
  weir::run(numbers(1000) | into(seen), options);
  EXPECT_EQ(seen, first_numbers(1000));
}

TEST_P(notice, of_a_run_goes_to_the_handler_and_nowhere_else) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  const collected notices;
  EXPECT_EQ(printed_by([] { run_with_a_trace_that_is_lost(GetParam().options); }), "");
  EXPECT_EQ(notices.lines(), std::vector<std::string>{lost_trace});
}

TEST_P(notice, of_a_run_is_a_line_on_standard_error_without_a_handler) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  EXPECT_EQ(printed_by([] { run_with_a_trace_that_is_lost(GetParam().options); }),
            "weir: " + std::string(lost_trace) + "\n");
}

TEST_P(notice, is_not_given_by_runs_that_work_or_fail) {
  const collected notices;
  const std::string printed = printed_by([&] {
    std::vector<long> seen;
    run(numbers(1000) | into(seen));
    EXPECT_THROW(run(numbers(1000) | weir::sink([](long) { throw std::runtime_error("no"); })), weir::node_error);
    weir::network wrong = numbers(1) | weir::sink([](long) {});
    wrong.set_width("/no_farm", 2);
    EXPECT_THROW(run(wrong), weir::graph_error);
  });
  EXPECT_EQ(printed, "");
  EXPECT_TRUE(notices.lines().empty());
}

TEST(notice_handler, is_given_back_by_the_next_call) {
  auto calls = std::make_shared<int>(0);
  EXPECT_FALSE(weir::set_notice_handler([calls](std::string_view) { ++*calls; }));
  const weir::notice_handler first = weir::set_notice_handler([](std::string_view) {});
  ASSERT_TRUE(first);
  first("a call");
  EXPECT_EQ(*calls, 1);
  EXPECT_TRUE(weir::set_notice_handler({}));
  EXPECT_FALSE(weir::set_notice_handler({}));
}

TEST(notice_handler, that_throws_leaves_the_notice_to_standard_error) {
  const weir::notice_handler before =
      weir::set_notice_handler([](std::string_view) { throw std::runtime_error("the log is full"); });
  EXPECT_EQ(printed_by([] { give_notice({"group ", "G1"}); }), "weir: group G1\n");
  weir::set_notice_handler(before);
}

TEST(notice_handler, may_replace_itself_and_give_notices) {
  auto seen = std::make_shared<std::vector<std::string>>();
  weir::set_notice_handler([seen](std::string_view text) {
    seen->emplace_back(text);
    weir::set_notice_handler([seen](std::string_view later) { seen->push_back("then " + std::string(later)); });
    give_notice({"second"});
  });
  give_notice({"first"});
  weir::set_notice_handler({});
  EXPECT_EQ(*seen, (std::vector<std::string>{"first", "then second"}));
}

TEST(notice_handler, may_be_replaced_while_threads_give_notices) {
  constexpr int each = 2000;
  auto taken = std::make_shared<std::atomic<int>>(0);
  const auto take = [taken](std::string_view) { taken->fetch_add(1, std::memory_order_relaxed); };
  weir::set_notice_handler(take);
  std::thread other([] {
    for (int i = 0; i != each; ++i) give_notice({"other"});
  });
  for (int i = 0; i != each; ++i) {
    give_notice({"own"});
    weir::set_notice_handler(take);
  }
  other.join();
  weir::set_notice_handler({});
  EXPECT_EQ(taken->load(), 2 * each);
}

struct pipe_ends {
  pipe_ends() {
    if (::pipe2(number.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  }
  pipe_ends(const pipe_ends&) = delete;
  pipe_ends& operator=(const pipe_ends&) = delete;
  ~pipe_ends() {
    ::close(number[0]);
    ::close(number[1]);
  }
  std::array<int, 2> number{};
};

TEST(notice_on_standard_error, that_must_not_wait_is_dropped_if_nobody_reads) {
  const pipe_ends ends;
  ::fcntl(ends.number[1], F_SETFL, O_NONBLOCK);
  const std::string page(4096, 'x');
  while (::write(ends.number[1], page.data(), page.size()) > 0) {
  }
  ::fcntl(ends.number[1], F_SETFL, 0);
  const standard_error full(ends.number[1]);
  give_notice({"nobody reads this"}, notice_wait::never);  // hangs if it waits
}

TEST(notice_on_standard_error, does_not_end_the_process_if_the_reader_has_gone) {
  const pipe_ends ends;
  const int nobody = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(nobody, ends.number[0]);  // closes the reading end
  ::close(nobody);
  const standard_error broken(ends.number[1]);
  give_notice({"nobody reads this"});
  give_notice({"nor this"}, notice_wait::never);
}

}  // namespace
