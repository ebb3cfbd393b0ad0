// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A forked child of a process that has run networks has only the thread that forked, and can
// nevertheless run networks. It leaves the runs of its parent alone.

#include "weir/graph/notice.hpp"
#include "weir/run/fork_join.hpp"

#include "child.hpp"
#include "networks.hpp"

#include <fcntl.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace weir_test;

class forked : public each_executor {
 protected:
  void SetUp() override {
    if (!threads_start_in_a_child) GTEST_SKIP() << "the thread sanitizer starts no threads in a forked child";
  }
};
WEIR_UNDER_EACH_EXECUTOR(forked);

TEST_P(forked, a_child_runs_networks_of_its_own_and_of_its_parent) {
  std::vector<long> seen;
  weir::network net = numbers(1000) | weir::farm([](long item) { return item; }, 3) | into(seen);
  const auto works = [&] {
    seen.clear();
    run(net);
    std::sort(seen.begin(), seen.end());
    std::vector<long> all(1000);
    std::iota(all.begin(), all.end(), 0L);
    // The source makes its numbers once; the later runs of the parent have none.
    return seen == all;
  };
  EXPECT_EQ(in_a_child([&] {  // before any run of this network
              return works() && in_a_child([&] {
                                  long sum = 0;
                                  run(numbers(1000) | weir::sink([&](long item) { sum += item; }));
                                  return sum == 499'500;
                                }) == 0;
            }),
            0);
  EXPECT_TRUE(works());
  EXPECT_EQ(in_a_child([&] {  // a network that has run: its threads belong to the parent
              seen.clear();
              run(net);
              return seen.empty();
            }),
            0);
}

TEST_P(forked, a_child_joins_pieces) {
  std::atomic<long> sum{0};
  const auto add = [&](std::size_t piece, std::size_t) { sum += static_cast<long>(piece); };
  weir::fork_join(100, add);
  EXPECT_EQ(in_a_child([&] {
              weir::fork_join(100, add);
              return sum == 2 * 4950;
            }),
            0);
}

// A node may fork, and the child may run a network on its only thread.
TEST_P(forked, a_child_of_a_node_runs_a_network) {
  int code = -1;
  run(numbers(1) | weir::sink([&](long) {
        code = in_a_child([&] {
          long sum = 0;
          weir::run(numbers(1000) | weir::sink([&](long item) { sum += item; }), GetParam().options);
          return sum == 499'500;
        });
      }));
  EXPECT_EQ(code, 0);
}

// The child of a piece has no part in the join, nor in the run around it.
TEST_P(forked, a_child_of_a_piece_runs_a_network) {
  std::atomic<int> well{0};
  run(numbers(1) | weir::sink([&](long) {
        weir::fork_join(2, [&](std::size_t, std::size_t) {
          const int code = in_a_child([] {
            long sum = 0;
            weir::run(numbers(1000) | weir::sink([&](long item) { sum += item; }));
            weir::fork_join(4, [](std::size_t, std::size_t) {});
            return sum == 499'500 && !weir::stop_token_around().stop_possible();
          });
          if (code == 0) ++well;
        });
      }));
  EXPECT_EQ(well, 2);
}

// Makes standard error a pipe that nobody reads and that is full.
void fill_standard_error() {
  int ends[2];
  if (::pipe(ends) != 0) ::_exit(1);
  ::fcntl(ends[1], F_SETFL, O_NONBLOCK);
  const char some[4096] = {};
  while (::write(ends[1], some, sizeof some) > 0) {
  }
  ::fcntl(ends[1], F_SETFL, 0);
  ::dup2(ends[1], STDERR_FILENO);
}

// Returns how a child ends that returns from `f`, which forks it by calling the function that it is
// given. The child must neither call the handler of the program nor wait for a reader of its
// standard error.
template <class F>
int code_of_child_that_returns_from(F&& f) {
  int code = -1;
  const weir::notice_handler before = weir::set_notice_handler([](std::string_view) { ::_exit(3); });
  f([&] {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(60);
      return fill_standard_error();
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  });
  weir::set_notice_handler(before);
  return code;
}

// Otherwise it would process the items of the parent a second time.
TEST_P(forked, a_child_that_returns_from_a_node_or_a_piece_ends) {
  long items = 0;
  EXPECT_EQ(code_of_child_that_returns_from([&](auto&& fork) {
              run(numbers(100) | weir::sink([&](long item) {
                    if (item == 50) fork();
                    ++items;
                  }));
            }),
            70);
  EXPECT_EQ(items, 100);
  EXPECT_EQ(code_of_child_that_returns_from([&](auto&& fork) {
              run(numbers(1) | weir::sink([&](long) {
                    const pid_t parent = ::getpid();
                    fork();
                    if (::getpid() != parent) throw std::runtime_error("in the child");
                  }));
            }),
            70);
  EXPECT_EQ(code_of_child_that_returns_from(
                [](auto&& fork) { weir::fork_join(1, [&](std::size_t, std::size_t) { fork(); }); }),
            70);
}

TEST_P(forked, a_child_leaves_runs_under_way_alone) {
  std::atomic<long> seen{0};
  std::stop_source stop;
  auto net = std::make_unique<weir::network>(weir::source([]() -> std::optional<long> { return 1; }) |
                                             weir::node([](long item) { return item; }) | weir::sink([&](long) {
                                               seen.fetch_add(1);
                                               seen.notify_all();
                                             }));
  weir::run_options options = GetParam().options;
  options.stop = stop.get_token();
  std::optional<weir::running> under_way(weir::start(*net, options));
  seen.wait(0);
  EXPECT_EQ(in_a_child([&] {
              under_way->cancel();
              under_way->drain();
              stop.request_stop();
              const bool refused = is_refused([&] { return under_way->wait(); }) &&
                                   is_refused([&] { return under_way->report_so_far(); }) &&
                                   is_refused([&] { return weir::run(*net); }) &&
                                   is_refused([&] { net->set_width("/farm", 2); });
              const bool failed = under_way->failure() != nullptr;
              under_way.reset();
              net.reset();
              long sum = 0;
              run(numbers(1000) | weir::sink([&](long item) { sum += item; }));
              return refused && !failed && sum == 499'500;
            }),
            0);
  const long before = seen;
  while (seen == before) std::this_thread::yield();
  under_way->drain();
  EXPECT_TRUE(under_way->wait().ended);
}

}  // namespace
