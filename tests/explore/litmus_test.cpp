// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Small programs with an odd outcome of which it is known whether C++ allows it: the explorer must
// find the outcome if and only if it is allowed.
#include "explore.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

using namespace explore;
using enum std::memory_order;

using model = model_atomics;

const options small{.preemptions = 3, .stale = 3, .max_executions = 300'000};

// `finally` reports the odd outcome as an error.
testing::AssertionResult forbidden(const scenario_body& body, const options& within = small) {
  const result r = run(within, body);
  if (r.passed()) return testing::AssertionSuccess() << r.summary();
  return testing::AssertionFailure() << r.summary();
}

testing::AssertionResult allowed(const scenario_body& body, const options& within = small) {
  const result r = run(within, body);
  if (r.failed && r.message.starts_with("odd")) return testing::AssertionSuccess() << r.summary();
  return testing::AssertionFailure() << r.summary();
}

testing::AssertionResult fails_with(const std::string& words, const scenario_body& body,
                                    const options& within = small) {
  const result r = run(within, body);
  if (r.failed && r.message.find(words) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << r.summary();
}

struct two {
  atomic<int> x{0}, y{0};
  int a = -1, b = -1, c = -1, d = -1;
};

// ---- message passing ----

scenario_body message_passing(std::memory_order store, std::memory_order load) {
  return [=](execution& e) {
    auto s = std::make_shared<two>();
    e.thread([=] {
      s->x.store(1, relaxed);
      s->y.store(1, store);
    });
    e.thread([=] {
      s->a = s->y.load(load);
      s->b = s->x.load(relaxed);
    });
    e.finally([=] { check(!(s->a == 1 && s->b == 0), "odd"); });
  };
}

TEST(message_passing, relaxed_reorders) {
  EXPECT_TRUE(allowed(message_passing(relaxed, relaxed)));
  EXPECT_TRUE(allowed(message_passing(release, relaxed)));
  EXPECT_TRUE(allowed(message_passing(relaxed, acquire)));
}

TEST(message_passing, release_acquire_orders) {
  EXPECT_TRUE(forbidden(message_passing(release, acquire)));
  EXPECT_TRUE(forbidden(message_passing(seq_cst, seq_cst)));
}

scenario_body message_passing_by_fences(bool releasing, bool acquiring) {
  return [=](execution& e) {
    auto s = std::make_shared<two>();
    e.thread([=] {
      s->x.store(1, relaxed);
      if (releasing) thread_fence(release);
      s->y.store(1, relaxed);
    });
    e.thread([=] {
      s->a = s->y.load(relaxed);
      if (acquiring) thread_fence(acquire);
      s->b = s->x.load(relaxed);
    });
    e.finally([=] { check(!(s->a == 1 && s->b == 0), "odd"); });
  };
}

TEST(message_passing, fences_order) {
  EXPECT_TRUE(forbidden(message_passing_by_fences(true, true)));
  EXPECT_TRUE(allowed(message_passing_by_fences(false, true)));
  EXPECT_TRUE(allowed(message_passing_by_fences(true, false)));
}

// ---- store buffering ----

using step = std::function<void()>;

scenario_body store_buffering(std::memory_order store, std::memory_order load, step left = {}, step right = {}) {
  return [=](execution& e) {
    auto s = std::make_shared<two>();
    e.thread([=] {
      s->x.store(1, store);
      if (left) left();
      s->a = s->y.load(load);
    });
    e.thread([=] {
      s->y.store(1, store);
      if (right) right();
      s->b = s->x.load(load);
    });
    e.finally([=] { check(!(s->a == 0 && s->b == 0), "odd"); });
  };
}

TEST(store_buffering, happens_below_seq_cst) {
  EXPECT_TRUE(allowed(store_buffering(relaxed, relaxed)));
  EXPECT_TRUE(allowed(store_buffering(release, acquire)));
  EXPECT_TRUE(allowed(store_buffering(seq_cst, acquire)));
  EXPECT_TRUE(allowed(store_buffering(release, seq_cst)));
}

TEST(store_buffering, seq_cst_accesses_forbid) { EXPECT_TRUE(forbidden(store_buffering(seq_cst, seq_cst))); }

TEST(store_buffering, full_fences_on_both_sides_forbid) {
  const step full = [] { model::fence_full(); };
  const step acq_rel_only = [] { thread_fence(acq_rel); };
  EXPECT_TRUE(forbidden(store_buffering(relaxed, relaxed, full, full)));
  EXPECT_TRUE(allowed(store_buffering(relaxed, relaxed, full)));
  EXPECT_TRUE(allowed(store_buffering(relaxed, relaxed, full, acq_rel_only)));
}

TEST(store_buffering, a_fence_pairs_with_seq_cst_accesses) {
  // [atomics.order]/4: a seq_cst access on one side, a full fence on the other.
  const auto body = [](execution& e) {
    auto s = std::make_shared<two>();
    e.thread([=] {
      s->x.store(1, seq_cst);
      s->a = s->y.load(seq_cst);
    });
    e.thread([=] {
      s->y.store(1, relaxed);
      model::fence_full();
      s->b = s->x.load(relaxed);
    });
    e.finally([=] { check(!(s->a == 0 && s->b == 0), "odd"); });
  };
  EXPECT_TRUE(forbidden(body));
}

TEST(store_buffering, asymmetric_fences_forbid) {
  const step light = [] { model::fence_light(); };
  const step heavy = [] { model::fence_heavy(); };
  const step full = [] { model::fence_full(); };
  EXPECT_TRUE(forbidden(store_buffering(relaxed, relaxed, light, heavy)));
  EXPECT_TRUE(forbidden(store_buffering(relaxed, relaxed, heavy, heavy)));
  EXPECT_TRUE(forbidden(store_buffering(relaxed, relaxed, full, heavy)));
  EXPECT_TRUE(allowed(store_buffering(relaxed, relaxed, light, light)));
  EXPECT_TRUE(allowed(store_buffering(relaxed, relaxed, light, full)));
  EXPECT_TRUE(allowed(store_buffering(relaxed, relaxed, {}, heavy)));
}

TEST(store_buffering, a_heavy_fence_may_be_taken_to_reach_all) {
  options reaching = small;
  reaching.heavy_reaches_all = true;
  const step light = [] { model::fence_light(); };
  const step heavy = [] { model::fence_heavy(); };
  EXPECT_TRUE(forbidden(store_buffering(relaxed, relaxed, {}, heavy), reaching));
  EXPECT_TRUE(forbidden(store_buffering(relaxed, relaxed, light, heavy), reaching));
  EXPECT_TRUE(allowed(store_buffering(relaxed, relaxed, light, light), reaching));
}

// ---- coherence ----

TEST(coherence, a_location_is_never_read_backwards) {
  EXPECT_TRUE(forbidden([](execution& e) {
    auto s = std::make_shared<two>();
    e.thread([=] {
      s->x.store(1, relaxed);
      s->x.store(2, relaxed);
    });
    e.thread([=] {
      s->a = s->x.load(relaxed);
      s->b = s->x.load(relaxed);
    });
    e.finally([=] { check(s->a <= s->b, "odd"); });
  }));
}

TEST(coherence, own_stores_are_seen) {
  EXPECT_TRUE(forbidden([](execution& e) {
    auto s = std::make_shared<two>();
    e.thread([=] { s->x.store(1, relaxed); });
    e.thread([=] {
      s->x.store(2, relaxed);
      s->a = s->x.load(relaxed);
      check(s->a != 0, "odd");
    });
  }));
}

TEST(coherence, updates_are_atomic) {
  EXPECT_TRUE(forbidden([](execution& e) {
    auto s = std::make_shared<two>();
    for (int i = 0; i != 3; ++i) e.thread([=] { s->x.fetch_add(1, relaxed); });
    e.finally([=] { check(s->x.load(relaxed) == 3, "odd"); });
  }));
}

TEST(coherence, a_compare_exchange_has_one_winner_and_may_fail_spuriously_when_weak) {
  const auto body = [](bool weak) {
    return [=](execution& e) {
      auto s = std::make_shared<two>();
      auto won = std::make_shared<atomic<int>>(0);
      for (int i = 1; i != 3; ++i) {
        e.thread([=] {
          int expected = 0;
          const bool done = weak ? s->x.compare_exchange_weak(expected, i, relaxed, relaxed)
                                 : s->x.compare_exchange_strong(expected, i, relaxed, relaxed);
          if (done) won->fetch_add(1, relaxed);
        });
      }
      e.finally([=] { check(won->load(relaxed) == 1, "odd"); });
    };
  };
  EXPECT_TRUE(forbidden(body(false)));
  EXPECT_TRUE(allowed(body(true)));
}

scenario_body independent_reads(std::memory_order order, step between = {}) {
  return [=](execution& e) {
    auto s = std::make_shared<two>();
    e.thread([=] { s->x.store(1, order == seq_cst ? seq_cst : release); });
    e.thread([=] { s->y.store(1, order == seq_cst ? seq_cst : release); });
    e.thread([=] {
      s->a = s->x.load(order);
      if (between) between();
      s->b = s->y.load(order);
    });
    e.thread([=] {
      s->c = s->y.load(order);
      if (between) between();
      s->d = s->x.load(order);
    });
    e.finally([=] { check(!(s->a == 1 && s->b == 0 && s->c == 1 && s->d == 0), "odd"); });
  };
}

TEST(independent_reads_of_independent_writes, need_seq_cst) {
  EXPECT_TRUE(allowed(independent_reads(acquire)));
  EXPECT_TRUE(forbidden(independent_reads(seq_cst)));
  EXPECT_TRUE(forbidden(independent_reads(acquire, [] { model::fence_full(); })));
}

TEST(causality, is_transitive) {
  EXPECT_TRUE(forbidden([](execution& e) {
    auto s = std::make_shared<two>();
    e.thread([=] { s->x.store(1, relaxed), s->y.store(1, release); });
    e.thread([=] {
      if (s->y.load(acquire) == 1) s->y.store(2, release);
    });
    e.thread([=] {
      if (s->y.load(acquire) == 2) check(s->x.load(relaxed) == 1, "odd");
    });
  }));
}

// ---- release sequences ----

scenario_body release_sequence(bool by_update) {
  return [=](execution& e) {
    auto s = std::make_shared<two>();
    e.thread([=] { s->x.store(1, relaxed), s->y.store(1, release); });
    e.thread([=] {
      if (by_update) {
        s->y.fetch_add(1, relaxed);
      } else if (s->y.load(relaxed) == 1) {
        s->y.store(2, relaxed);
      }
    });
    e.thread([=] {
      if (s->y.load(acquire) == 2) check(s->x.load(relaxed) == 1, "odd");
    });
  };
}

TEST(release_sequence, goes_through_updates_and_not_through_stores) {
  EXPECT_TRUE(forbidden(release_sequence(true)));
  EXPECT_TRUE(allowed(release_sequence(false)));
}

// ---- races and lifetimes ----

scenario_body published_cell(std::memory_order store, std::memory_order load) {
  return [=](execution& e) {
    auto ready = std::make_shared<atomic<bool>>(false);
    auto data = std::make_shared<cell<int>>(0);
    e.thread([=] {
      data->set(42);
      ready->store(true, store);
    });
    e.thread([=] {
      if (ready->load(load)) check(data->get() == 42, "odd");
    });
  };
}

TEST(race, on_a_cell_is_found) {
  EXPECT_TRUE(forbidden(published_cell(release, acquire)));
  EXPECT_TRUE(fails_with("data race", published_cell(release, relaxed)));
  EXPECT_TRUE(fails_with("data race", published_cell(relaxed, acquire)));
}

TEST(race, is_not_hidden_by_a_full_fence) {
  // Full fences order atomic operations; only reading a release makes anything happen before.
  EXPECT_TRUE(fails_with("data race", [](execution& e) {
    auto data = std::make_shared<cell<int>>(0);
    auto turn = std::make_shared<atomic<int>>(0);
    e.thread([=] {
      data->set(1);
      model::fence_full();
    });
    e.thread([=] {
      model::fence_full();
      data->set(2);
    });
  }));
}

TEST(race, on_construction_of_an_atomic_is_found) {
  const auto body = [](std::memory_order store) {
    return [=](execution& e) {
      auto shared = std::make_shared<atomic<atomic<int>*>>(nullptr);
      e.thread([=] { shared->store(new atomic<int>(1), store); });
      e.thread([=] {
        if (atomic<int>* it = shared->load(acquire)) check(it->load(relaxed) == 1, "odd");
      });
      e.finally([=] { delete shared->load(relaxed); });
    };
  };
  EXPECT_TRUE(forbidden(body(release)));
  EXPECT_TRUE(fails_with("construction", body(relaxed)));
}

TEST(race, of_freeing_with_a_use_is_found) {
  const auto body = [](std::memory_order store) {
    return [=](execution& e) {
      auto* data = new cell<int>(1);
      auto done = std::make_shared<atomic<bool>>(false);
      e.thread([=] {
        check(data->get() == 1, "odd");
        done->store(true, store);
      });
      e.thread([=] {
        await([=] { return done->load(acquire); });
        delete data;
      });
    };
  };
  EXPECT_TRUE(forbidden(body(release)));
  EXPECT_TRUE(fails_with("data race", body(relaxed)));
}

// Separate functions, so that the compiler does not see the error.
[[gnu::noinline]] void destroy(tracked* item) { item->~tracked(); }
[[gnu::noinline]] void* make_block() { return ::operator new(1); }
[[gnu::noinline]] void free_block(void* block) { ::operator delete(block); }

TEST(tracked_item, misuse_is_found) {
  EXPECT_TRUE(fails_with("moved from twice", [](execution&) {
    tracked a(1);
    tracked b(std::move(a));
    tracked c(std::move(a));  // NOLINT(bugprone-use-after-move)
  }));
  EXPECT_TRUE(fails_with("read after it was moved from", [](execution&) {
    tracked a(1);
    tracked b(std::move(a));
    static_cast<void>(a.value());  // NOLINT(bugprone-use-after-move)
  }));
  EXPECT_TRUE(fails_with("destroyed that is not alive", [](execution&) {
    auto* a = new tracked(1);
    destroy(a);
    destroy(a);
  }));
  EXPECT_TRUE(fails_with("never destroyed", [](execution&) { ::new (::operator new(sizeof(tracked))) tracked(1); }));
  EXPECT_TRUE(fails_with("freed in which an object is alive", [](execution&) {
    void* place = ::operator new(sizeof(tracked));
    ::new (place) tracked(1);
    ::operator delete(place);
  }));
  EXPECT_TRUE(fails_with("never freed", [](execution&) { make_block(); }));
  EXPECT_TRUE(fails_with("freed twice", [](execution&) {
    void* place = make_block();
    free_block(place);
    free_block(place);
  }));
  EXPECT_TRUE(fails_with("an exception leaves a thread: oops",
                         [](execution& e) { e.thread([] { throw std::runtime_error("oops"); }); }));
}

// ---- waiting ----

// One thread sleeps until an item is there. The other thread makes the item and wakes the sleeper
// if it is asleep or about to be.
struct sleep_protocol {
  step producer_fence, consumer_fence;
  bool look_again = true;

  scenario_body body() const {
    return [*this](execution& e) {
      struct shared {
        atomic<int> items{0};
        atomic<bool> asleep{false};
        parker place;
      };
      auto s = std::make_shared<shared>();
      e.thread([s, fence = producer_fence] {
        s->items.store(1, release);
        if (fence) fence();
        if (s->asleep.load(relaxed)) s->place.unpark();
      });
      e.thread([s, fence = consumer_fence, again = look_again] {
        while (s->items.load(acquire) == 0) {
          s->asleep.store(true, relaxed);
          if (fence) fence();
          if (again && s->items.load(acquire) != 0) break;
          s->place.park();
          s->asleep.store(false, relaxed);
        }
      });
    };
  }
};

TEST(sleeping, with_fences_and_a_second_look_is_never_missed) {
  const step full = [] { model::fence_full(); };
  const step light = [] { model::fence_light(); };
  const step heavy = [] { model::fence_heavy(); };
  EXPECT_TRUE(forbidden(sleep_protocol{full, full}.body()));
  EXPECT_TRUE(forbidden(sleep_protocol{light, heavy}.body()));
}

TEST(sleeping, a_lost_wake_up_is_a_deadlock) {
  const step full = [] { model::fence_full(); };
  const step light = [] { model::fence_light(); };
  EXPECT_TRUE(fails_with("deadlock", sleep_protocol{full, full, false}.body()));
  EXPECT_TRUE(fails_with("deadlock", sleep_protocol{{}, full}.body()));
  EXPECT_TRUE(fails_with("deadlock", sleep_protocol{full, {}}.body()));
  EXPECT_TRUE(fails_with("deadlock", sleep_protocol{light, light}.body()));
  const result r = run(small, sleep_protocol{{}, full}.body());
  EXPECT_NE(r.message.find("T2 in park"), std::string::npos) << r.message;
  EXPECT_NE(r.trace.find("stale: the last is"), std::string::npos) << r.trace;
}

TEST(awaiting, ends_when_the_predicate_holds_and_deadlocks_when_it_never_will) {
  EXPECT_TRUE(forbidden([](execution& e) {
    auto s = std::make_shared<two>();
    e.thread([=] { s->x.store(1, release); });
    e.thread([=] {
      await([=] { return s->x.load(acquire) == 1; });
      s->y.store(1, release);
    });
    e.thread([=] { await([=] { return s->y.load(acquire) == 1 && s->x.load(relaxed) == 1; }); });
  }));
  EXPECT_TRUE(fails_with("deadlock", [](execution& e) {
    auto s = std::make_shared<two>();
    e.thread([=] { s->x.store(1, release); });
    e.thread([=] { await([=] { return s->x.load(acquire) == 2; }); });
  }));
}

TEST(yielding, lets_a_spin_loop_end) {
  EXPECT_TRUE(forbidden([](execution& e) {
    auto s = std::make_shared<two>();
    e.thread([=] { s->x.store(1, release); });
    e.thread([=] {
      while (s->x.load(acquire) == 0) yield();
    });
  }));
  EXPECT_TRUE(fails_with("livelock", [](execution& e) {
    auto s = std::make_shared<two>();
    e.thread([=] {
      while (s->x.load(acquire) == 0) {
      }
    });
  }));
}

TEST(exploration, is_reported_honestly) {
  options cut = small;
  cut.max_executions = 10;
  const result r = run(cut, store_buffering(seq_cst, seq_cst));
  EXPECT_FALSE(r.failed);
  EXPECT_FALSE(r.complete);
  EXPECT_EQ(r.executions, 10U);
  EXPECT_NE(r.summary().find("cut"), std::string::npos);
}

}  // namespace
