// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Random networks of blocks with loops, ordered blocks, splits and merges, cut at random. See
// `stress` for the environment variables.

#include "weir/graph/graph.hpp"

#include "clusters.hpp"
#include "random_block.hpp"

#include <chrono>
#include <random>
#include <set>

namespace {

using namespace weir_test;

class random_cuts : public each_executor {
 protected:
  // Runs a random network, cut at random. A group chosen at random calls `act(running)`.
  using action = std::function<void(weir::running& now, disturbance& disturb)>;
  void run_random(unsigned seed, const random_block_options& about, int times, const action& act) {
    const std::vector<std::string> names{"G1", "G2", "G3"};
    weir::cluster_configuration configuration = groups_named(names);
    constexpr std::array transports{weir::link_transport::tcp, weir::link_transport::shm, weir::link_transport::inproc};
    configuration.transport = transports[seed % transports.size()];
    cluster_in_process cluster(configuration);
    const auto problems = cluster.in_each_group([&](weir::cluster_member& member) {
      weir::network net = random_blocks(book, seed, about).network();
      disturbance disturb(seed);
      auto& nodes = net.resolve(2).nodes();
      for (std::size_t i = 0; i != nodes.size(); ++i) {
        nodes[i].traits.group = names[i < names.size() ? i : disturb.below(static_cast<unsigned>(names.size()))];
      }
      const std::string& acting = names[disturb.below(static_cast<unsigned>(names.size()))];
      weir::run_options options = GetParam().options;
      options.member = &member;
      for (int i = 0; i != times; ++i) {
        weir::running now = weir::start(net, options);
        if (act && member.name() == acting) act(now, disturb);
        now.wait();
      }
    });
    for (const auto& [group, problem] : problems) {
      if (problem != nullptr && first_problem == nullptr) first_problem = problem;
    }
    EXPECT_EQ(book.alive, 0);
    EXPECT_EQ(book.disorders, 0);
  }

  ledger book;
  std::exception_ptr first_problem;
};
WEIR_UNDER_EACH_EXECUTOR(random_cuts);

TEST_P(random_cuts, runs_to_the_end_again_and_again) {
  stress(8, [&](unsigned seed) {
    book.reset();
    run_random(seed, {}, 3, nullptr);
    EXPECT_EQ(text_of(first_problem), "");
    EXPECT_GT(book.made, 0);
    EXPECT_EQ(book.made, book.used);
    EXPECT_EQ(book.starts, book.finishes);
  });
}

TEST_P(random_cuts, is_cancelled_or_drained_at_any_moment) {
  stress(8, [&](unsigned seed) {
    book.reset();
    std::atomic<bool> drained = true;
    run_random(seed, {.items = 3000}, 1, [&](weir::running& now, disturbance& disturb) {
      drained = disturb.one_in(2);
      if (!disturb.one_in(4)) std::this_thread::sleep_for(std::chrono::microseconds(disturb.below(3000)));
      if (drained) {
        now.drain();
      } else {
        now.cancel();
      }
    });
    EXPECT_EQ(text_of(first_problem), "");
    if (drained) {
      EXPECT_EQ(book.made, book.used);
    }
  });
}

TEST_P(random_cuts, nodes_that_throw) {
  stress(8, [&](unsigned seed) {
    book.reset();
    first_problem = nullptr;
    run_random(seed, {.some_fail = true}, 1, nullptr);
    EXPECT_EQ(first_problem != nullptr, book.thrown != 0) << text_of(first_problem);
    if (first_problem == nullptr) {
      EXPECT_EQ(book.made, book.used);
    }
  });
}

}  // namespace
