// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Pruning must not lose an outcome: small random programs have the same outcomes with pruning and
// without.
#include "arena.hpp"
#include "explore.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace {

using namespace explore;
using enum std::memory_order;

enum class act { load, store, update, compare, full, light, heavy, wait };

struct instruction {
  act what;
  unsigned location;
  int value;
  std::memory_order order;
};
using program = std::vector<std::vector<instruction>>;

program make_program(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const std::memory_order loads[] = {relaxed, acquire, seq_cst};
  const std::memory_order stores[] = {relaxed, release, seq_cst};
  const std::memory_order updates[] = {relaxed, acquire, release, acq_rel, seq_cst};
  program all(2 + below(2));
  int value = 1;
  for (auto& thread : all) {
    const unsigned length = 3 + below(2);
    for (unsigned i = 0; i != length; ++i) {
      instruction it{static_cast<act>(below(8)), below(2), value++, relaxed};
      if (it.what == act::load || it.what == act::wait) it.order = loads[below(3)];
      if (it.what == act::store) it.order = stores[below(3)];
      if (it.what == act::update || it.what == act::compare) it.order = updates[below(5)];
      thread.push_back(it);
    }
  }
  return all;
}

// All combinations of values that the program's threads may read, as text. `executions` is set to
// the number of executions needed.
std::set<std::string> outcomes(const program& what, const options& within, std::uint64_t& executions) {
  std::set<std::string> found;
  // One vector for each thread, outside the heap of the executions.
  auto reads = std::vector<std::vector<int>>(what.size(), std::vector<int>(8));
  const scenario_body body = [&](execution& e) {
    struct shared {
      atomic<int> at[2] = {0, 0};
      atomic<bool> first_has_ended{false};
    };
    auto s = std::make_shared<shared>();
    for (std::size_t t = 0; t != what.size(); ++t) {
      std::fill(reads[t].begin(), reads[t].end(), -1);
      e.thread([s, t, &thread = what[t], &got = reads[t]] {
        std::size_t n = 0;
        for (const instruction& i : thread) {
          atomic<int>& x = s->at[i.location];
          switch (i.what) {
            case act::load: got[n++] = x.load(i.order); break;
            case act::store: x.store(i.value, i.order); break;
            case act::update: got[n++] = x.exchange(i.value, i.order); break;
            case act::compare: {
              int expected = 0;
              x.compare_exchange_strong(expected, i.value, i.order, relaxed);
              got[n++] = expected;
              break;
            }
            case act::full: model_atomics::fence_full(); break;
            case act::light: model_atomics::fence_light(); break;
            case act::heavy: model_atomics::fence_heavy(); break;
            case act::wait:
              if (t != 0) await([&] { return s->first_has_ended.load(i.order); });
              break;
          }
        }
        if (t == 0) s->first_has_ended.store(true, release);
      });
    }
    e.finally([&, s] {
      const arena::pause paused;
      std::string text;
      for (const auto& thread : reads) {
        for (const int value : thread) text += std::to_string(value) + ' ';
      }
      const int last[] = {s->at[0].load(relaxed), s->at[1].load(relaxed)};
      found.insert(text + "| " + std::to_string(last[0]) + ' ' + std::to_string(last[1]));
    });
  };
  const result r = run(within, body);
  EXPECT_TRUE(r.passed()) << r.summary();
  executions = r.executions;
  return found;
}

TEST(pruning, loses_no_outcome) {
  std::uint64_t pruned_total = 0;
  std::uint64_t plain_total = 0;
  for (unsigned seed = 0; seed != 200; ++seed) {
    const program what = make_program(seed);
    options within{.preemptions = 1 + seed % 3, .stale = seed / 3 % 3, .max_executions = 2'000'000};
    std::uint64_t pruned = 0;
    std::uint64_t plain = 0;
    const auto with = outcomes(what, within, pruned);
    within.prune = false;
    const auto without = outcomes(what, within, plain);
    EXPECT_EQ(with, without) << "program " << seed;
    EXPECT_LE(pruned, plain);
    pruned_total += pruned;
    plain_total += plain;
  }
  RecordProperty("executions", std::to_string(pruned_total) + " instead of " + std::to_string(plain_total));
}

}  // namespace
