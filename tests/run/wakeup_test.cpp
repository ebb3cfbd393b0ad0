// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Wake-ups that a node must not miss, each provoked on purpose.

#include "weir/blocks/describe.hpp"
#include "weir/graph/graph.hpp"

#include "networks.hpp"

#include <array>
#include <latch>

namespace {

using namespace weir_test;

class wakeup : public each_executor {};
WEIR_UNDER_EACH_EXECUTOR(wakeup);

struct page {
  std::array<char, 1024> bytes{};
};

// A node finds its first input empty, and waits for room with the last page of an item of its
// second input. Items that arrive at the first input in the meantime must be seen when the node
// goes on. Their sender waits for room as well, so no further call wakes the node.
// @param spills number of pages that can be sent while the sink is at the first one, less than all
// @param most upper limit of the number of pages; for one number below it, all spilled pages go on
// while the node waits
void send_late(const weir::run_options& options, bool blocking, long spills, long most) {
  for (long pages = spills; pages != most; ++pages) {
    SCOPED_TRACE(pages);
    std::latch working(1);
    std::latch sent(1);
    std::latch almost_done(1);
    const auto late = weir::source([&, made = 0L]() mutable -> std::optional<long> {
      if (made == 0) working.wait();
      if (made == 1) sent.count_down();
      return ++made <= 5 ? std::optional<long>(1) : std::nullopt;
    });
    const auto early = weir::source([pages, first = true]() mutable -> std::optional<long> {
      return std::exchange(first, false) ? std::optional<long>(pages) : std::nullopt;
    });
    const auto multiply = weir::node([&](long count, weir::outlet<page>& out) {
      for (long i = 1; i <= count; ++i) {
        if (i == spills) almost_done.count_down();
        out.send({});
      }
    });
    long seen = 0;
    const auto add = weir::sink([&](const page&) {
      if (++seen != 1) return;
      working.count_down();
      sent.wait();
      almost_done.wait();
    });
    weir::graph g;
    const auto first = g.add(weir::describe(late.blocking()));
    const auto second = g.add(weir::describe(early.blocking()));
    const auto middle = g.add(weir::describe(blocking ? multiply.blocking() : multiply));
    const auto last = g.add(weir::describe(add.blocking()));
    g.connect(first, 0, middle, 0, 1);
    g.connect(second, 0, middle, 0, 1);
    g.connect(middle, 0, last, 0, 1);
    weir::run(weir::network(std::move(g)), options);
    EXPECT_EQ(seen, pages + 5);
  }
}

TEST_P(wakeup, for_input_that_comes_while_a_node_waits_for_room_inside_an_item) {
  send_late(GetParam().options, false, 40, 100);
  send_late(GetParam().options, true, 2, 20);
}

// Two nodes in a ring without any item: no node runs, and no node that ends could wake the other.
TEST_P(wakeup, by_cancelling_when_all_wait_for_input) {
  for (int round = 0; round != 50; ++round) {
    std::latch started(2);
    struct idle {
      std::latch* started;
      void start() const { started->count_down(); }
      long process(long item) const { return item; }
    };
    weir::graph g;
    const auto one = g.add(weir::describe(weir::node(idle{&started}).blocking()));
    const auto other = g.add(weir::describe(weir::node(idle{&started}).blocking()));
    g.connect_unbounded(one, 0, other, 0);
    g.connect_unbounded(other, 0, one, 0);
    weir::network net(std::move(g));
    weir::running now = weir::start(net, GetParam().options);
    started.wait();
    now.cancel();
    now.wait();
  }
}

}  // namespace
