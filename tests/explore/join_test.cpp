// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The shipped join. Each piece runs once; the thread that began it sees what all pieces wrote; and
// nobody touches it when that thread has gone on.
#include "run/basic_join.hpp"
#include "scenario_tests.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace {

using namespace explore;

using join = weir::detail::basic_join<model_atomics>;
using open_joins = weir::detail::basic_open_joins<model_atomics, join>;

struct setting {
  unsigned helpers = 1;
  std::size_t pieces = 2;
  unsigned beginners = 1;
  int times = 1;                           // joins of each beginner, one after the other
  std::size_t helpers_most = 2;            // of each join
  bool sleeps = true;                      // whether a beginner sleeps, rather than spins, until it is alone
  std::size_t throws = std::size_t{} - 1;  // number of the piece that throws
  bool meet = false;                       // whether each helper is inside when the beginner begins to wait
};

struct shared {
  open_joins joins;
  atomic<unsigned> over{0};  // number of beginners that have ended
  // For those that meet; they order nothing:
  atomic<unsigned> inside{0};
  atomic<bool> waits{false};

  void help(const setting& as) {
    for (;;) {
      await([&] { return joins.any() || over.load(std::memory_order_relaxed) == as.beginners; });
      std::size_t worker = 0;
      join* const what = joins.enter(worker);
      if (what == nullptr) {
        if (over.load(std::memory_order_relaxed) == as.beginners) return;
        continue;
      }
      check(worker >= 1 && worker <= as.helpers_most, "a number of a helper that there can't be");
      work(*what, as, true);
      what->leave();
    }
  }

  void work(join& on, const setting& as, bool helps);
  void meet(const setting& as, bool helps);
  void begin(const setting& as);
};

// A join, and what its pieces write.
struct pieces_of : join {
  pieces_of(const setting& as) : join(as.pieces, as.helpers_most), written(as.pieces) {}

  std::vector<cell<int>> written;
};

void shared::work(join& on, const setting& as, bool helps) {
  on.take_part([&](std::size_t piece) {
    if (as.meet) meet(as, helps);
    cell<int>& mine = static_cast<pieces_of&>(on).written[piece];
    mine.set(mine.get() + 1);
    if (piece == as.throws) throw piece;
  });
}

// One piece for each thread, for they wait for each other.
void shared::meet(const setting& as, bool helps) {
  if (helps) {
    inside.fetch_add(1, std::memory_order_relaxed);
    await([&] { return waits.load(std::memory_order_relaxed); });
  } else {
    await([&] { return inside.load(std::memory_order_relaxed) == as.helpers; });
  }
}

void shared::begin(const setting& as) {
  for (int i = 0; i != as.times; ++i) {
    const auto it = std::make_unique<pieces_of>(as);
    joins.add(*it);
    work(*it, as, false);
    joins.remove(*it);
    waits.store(true, std::memory_order_relaxed);
    if (as.sleeps) {
      it->wait_until_alone();
    } else {
      await([&] { return it->alone(); });
    }
    bool threw = false;
    try {
      it->rethrow();
    } catch (std::size_t piece) {
      threw = piece == as.throws;
    }
    check(threw == (as.throws < as.pieces), "an exception is lost");
    for (std::size_t piece = 0; piece != as.pieces; ++piece) {
      const int runs = it->written[piece].get();
      check(threw && piece > as.throws ? runs <= 1 : runs == 1, "a piece is lost, or runs twice");
    }
  }
  over.fetch_add(1, std::memory_order_relaxed);
}

scenario_body joining(setting as) {
  return [=](execution& e) {
    auto s = std::make_shared<shared>();
    for (unsigned i = 0; i != as.beginners; ++i) e.thread([=] { s->begin(as); });
    for (unsigned i = 0; i != as.helpers; ++i) e.thread([=] { s->help(as); });
  };
}

const options bounds{.preemptions = 2, .stale = 1, .max_executions = 400'000};

const options shallow{.preemptions = 1, .stale = 1, .max_executions = 400'000};

const options straight{.preemptions = 0, .stale = 1, .max_executions = 400'000};

const std::vector<scenario> scenarios = {
    {"one helper", joining({}), bounds},
    {"one helper, the beginner spins", joining({.sleeps = false}), bounds},
    {"one helper is enough", joining({.helpers_most = 1}), bounds},
    {"one join after the other", joining({.pieces = 1, .times = 2}), shallow},
    {"an exception", joining({.throws = 0}), bounds},
    {"two helpers", joining({.helpers = 2, .pieces = 3}), shallow},
    {"two helpers that leave late", joining({.helpers = 2, .pieces = 3, .meet = true}), straight},
    {"two joins", joining({.pieces = 1, .beginners = 2}), shallow},
};

TEST(explored_join, ends_when_all_have_left) { expect_all_hold(scenarios); }

TEST(explored_join, has_no_order_that_is_not_needed) { expect_all_needed(scenarios, {"run/basic_join.hpp"}); }

}  // namespace
