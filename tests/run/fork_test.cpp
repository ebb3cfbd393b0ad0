// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A forked child of a process that has run networks has only the thread that forked, and can
// nevertheless run networks.

#include "weir/run/fork_join.hpp"

#include "child.hpp"
#include "networks.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
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

}  // namespace
