// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A forked child of a group has no part in the cluster: whatever it ends, the parent goes on.

#include "child.hpp"
#include "clusters.hpp"

#include <memory>
#include <optional>
#include <string>

namespace {

using namespace weir_test;

class forked_groups : public testing::TestWithParam<weir::link_transport> {
 protected:
  void SetUp() override {
    if (!threads_start_in_a_child) GTEST_SKIP() << "the thread sanitizer starts no threads in a forked child";
  }
};
INSTANTIATE_TEST_SUITE_P(over, forked_groups, testing::Values(weir::link_transport::tcp, weir::link_transport::shm),
                         [](const auto& each) { return each.param == weir::link_transport::tcp ? "tcp" : "shm"; });

TEST_P(forked_groups, go_on_while_their_children_end_and_run) {
  weir::cluster_configuration configuration = groups_named({"A", "B"});
  configuration.transport = GetParam();
  std::optional<cluster_in_process> cluster(configuration);
  const auto problems = cluster->in_each_group([&](weir::cluster_member& member) {
    int forks = 0;
    const auto fork = [&](long item) {
      if (item != 50) return;
      ++forks;
      EXPECT_EQ(in_a_child([&] {
                  const bool refused = is_refused([&] { return member.cores(); }) && is_refused([&] {
                                         return weir::run(numbers(1) | weir::sink([](long) {}), {.member = &member});
                                       }) &&
                                       is_refused([&] { return cluster->coordinator.port(); });
                  std::destroy_at(&member);
                  std::destroy_at(&cluster->coordinator);
                  long sum = 0;
                  weir::run(numbers(1000) | weir::sink([&](long each) { sum += each; }));
                  return refused && sum == 499'500;
                }),
                0);
    };
    long sum = 0;
    for (int round = 0; round != 2; ++round) {
      weir::run_options options;
      options.member = &member;
      weir::run(numbers(1000).in_group("A") | weir::node([&](long item) { return fork(item), item; }).in_group("A") |
                    weir::sink([&](long item) {
                      fork(item);
                      sum += item;
                    }).in_group("B"),
                options);
    }
    EXPECT_EQ(forks, 2);
    EXPECT_EQ(sum, member.name() == "B" ? 2 * 499'500 : 0);
  });
  for (const auto& [group, problem] : problems) EXPECT_EQ(text_of(problem), "") << group;
}

}  // namespace
