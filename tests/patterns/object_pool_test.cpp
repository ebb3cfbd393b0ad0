// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/patterns/object_pool.hpp"

#include "networks.hpp"
#include "stress.hpp"

#include <atomic>
#include <barrier>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using namespace weir_test;
using weir::object_pool;
using weir::pooled;
using numbers_held = std::vector<long>;

static_assert(std::is_nothrow_move_constructible_v<pooled<int>> && std::is_nothrow_move_assignable_v<pooled<int>>);
static_assert(!std::is_copy_constructible_v<pooled<int>>);
static_assert(sizeof(pooled<std::string>) == sizeof(void*));

// Counts the living objects; may hold a resource of its own.
struct living {
  static inline std::atomic<long> count{0};
  living() { ++count; }
  living(const living&) = delete;
  living& operator=(const living&) = delete;
  ~living() { --count; }

  std::atomic<int> users{0};
  long uses = 0;
  pooled<living> inner{};
};

void use(pooled<living>& one) {
  EXPECT_EQ(one->users.exchange(1, std::memory_order_relaxed), 0) << "somebody else has it too";
  ++one->uses;
}
void let_go(pooled<living>& one) {
  EXPECT_EQ(one->users.exchange(0, std::memory_order_relaxed), 1) << "somebody else has let it go";
  one = {};
}

class object_pools : public testing::Test {
 protected:
  void SetUp() override { living::count = 0; }
  void TearDown() override { EXPECT_EQ(living::count, 0); }
};

TEST_F(object_pools, hand_out_again_what_was_given_back_as_it_was) {
  const object_pool<numbers_held> pool;
  const numbers_held* first = nullptr;
  {
    const pooled<numbers_held> one = pool.take();
    one->assign(1000, 7);
    first = one.get();
  }
  const pooled<numbers_held> again = pool.take();
  EXPECT_EQ(again.get(), first);
  EXPECT_EQ(*again, numbers_held(1000, 7));
  EXPECT_NE(pool.take().get(), first);
}

TEST_F(object_pools, reset_what_comes_back) {
  const object_pool<numbers_held> pool({.reset = [](numbers_held& all) { all.clear(); }});
  pool.take()->assign(1000, 7);
  const pooled<numbers_held> again = pool.take();
  EXPECT_TRUE(again->empty());
  EXPECT_GE(again->capacity(), 1000U);
}

TEST_F(object_pools, destroy_what_can_not_be_reset) {
  const object_pool<living> pool({.reset = [](living& one) {
    if (one.users != 0) throw std::runtime_error("in use");
  }});
  pool.take()->users = 1;
  EXPECT_EQ(living::count, 0);
  { const pooled<living> fine = pool.take(); }
  EXPECT_EQ(living::count, 1);
}

TEST_F(object_pools, make_objects_as_they_are_told) {
  int made = 0;
  const object_pool<std::string> pool({.make = [&made] { return std::string("number ") + std::to_string(++made); }});
  const pooled<std::string> one = pool.take();
  const pooled<std::string> two = pool.take();
  EXPECT_EQ(*one, "number 1");
  EXPECT_EQ(*two, "number 2");
}

TEST_F(object_pools, hold_objects_that_do_not_move_nor_make_themselves) {
  struct fixed {
    explicit fixed(int start) : value(start) {}
    fixed(const fixed&) = delete;
    fixed& operator=(const fixed&) = delete;
    int value;
  };
  const object_pool<fixed> pool({.make = [] { return fixed(3); }});
  EXPECT_EQ(pool.take()->value, 3);
}

TEST_F(object_pools, keep_their_alignment) {
  struct alignas(256) wide {
    char bytes[300];
  };
  const object_pool<wide> pool;
  for (int i = 0; i != 3; ++i) EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pool.take().get()) % 256, 0U);
}

TEST_F(object_pools, are_as_before_when_making_one_throws) {
  int calls = 0;
  const object_pool<int> pool({.make = [&calls] {
    if (++calls == 2) throw std::runtime_error("no more");
    return calls;
  }});
  std::optional<pooled<int>> one = pool.take();
  EXPECT_THROW(pool.take(), std::runtime_error);
  one.reset();
  EXPECT_EQ(*pool.take(), 1);
  EXPECT_EQ(calls, 2);
}

TEST_F(object_pools, refuse_what_makes_no_sense) {
  const auto says = [](auto make) -> std::string {
    try {
      make();
      return "nothing";
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
  };
  EXPECT_EQ(says([] { object_pool<int>({.max_kept = 0}); }),
            "object_pool: max_kept is 0, which keeps nothing; use at least 1");
  struct unmade {
    explicit unmade(int) {}
  };
  EXPECT_EQ(says([] { const object_pool<unmade> pool; }),
            "object_pool: its objects have no default constructor; say how to make one");
}

// The bounds are below and above the capacity of the magazines of all threads.
TEST_F(object_pools, keep_no_more_than_they_may) {
  for (const std::size_t most : {1U, 3U, 20U, 100U, 1000U}) {
    const object_pool<living> pool({.max_kept = most});
    std::vector<pooled<living>> in_use;
    for (int i = 0; i != 1500; ++i) in_use.push_back(pool.take());
    EXPECT_EQ(living::count, 1500);
    in_use.clear();
    EXPECT_LE(living::count, static_cast<long>(most));
    EXPECT_GE(living::count, static_cast<long>(most / 2));
    const long kept = living::count;
    for (long i = 0; i != kept; ++i) in_use.push_back(pool.take());
    EXPECT_EQ(living::count, kept) << "one was made although there were others";
  }
}

TEST_F(object_pools, find_what_other_threads_gave_back) {
  const object_pool<living> pool;
  std::vector<pooled<living>> all;
  for (int i = 0; i != 100; ++i) all.push_back(pool.take());
  // One after the other, each thread gives back five objects.
  for (int i = 0; i != 20; ++i) {
    std::thread([&] { all.resize(all.size() - 5); }).join();
  }
  for (int i = 0; i != 100; ++i) all.push_back(pool.take());
  EXPECT_EQ(living::count, 100);
}

TEST_F(object_pools, end_before_their_handles) {
  std::optional<object_pool<living>> pool(std::in_place);
  std::vector<pooled<living>> in_use;
  for (int i = 0; i != 50; ++i) in_use.push_back(pool->take());
  in_use.resize(25);
  auto copy = std::make_unique<object_pool<living>>(*pool);
  pool.reset();
  EXPECT_EQ(living::count, 50);
  EXPECT_EQ(copy->take()->users, 0);
  EXPECT_EQ(living::count, 50);
  copy.reset();
  EXPECT_EQ(living::count, 25) << "only those in use are left";
  in_use.back()->users = 1;
  in_use.resize(10);
  EXPECT_EQ(living::count, 10);
}

TEST_F(object_pools, hold_objects_that_hold_others_of_theirs) {
  const auto nested = [](const object_pool<living>& pool, int depth) {
    pooled<living> outer = pool.take();
    for (int i = 0; i != depth; ++i) {
      pooled<living> next = pool.take();
      next->inner = std::move(outer);
      outer = std::move(next);
    }
    return outer;
  };
  {
    const object_pool<living> keeping;
    { const pooled<living> chain = nested(keeping, 10); }
    EXPECT_EQ(living::count, 11);
  }
  EXPECT_EQ(living::count, 0);
  const object_pool<living> resetting({.reset = [](living& one) { one.inner = {}; }});
  { const pooled<living> chain = nested(resetting, 10); }
  const pooled<living> again = nested(resetting, 10);
  EXPECT_EQ(living::count, 11);
}

TEST_F(object_pools, handles_move_as_unique_pointers_do) {
  const object_pool<living> pool;
  pooled<living> none;
  EXPECT_FALSE(none);
  EXPECT_EQ(none.get(), nullptr);
  pooled<living> one = pool.take();
  living* const first = one.get();
  none = std::move(one);
  EXPECT_EQ(none.get(), first);
  EXPECT_FALSE(one);  // NOLINT(bugprone-use-after-move)
  pooled<living> other = pool.take();
  living* const second = other.get();
  other = std::move(none);
  EXPECT_EQ(other.get(), first);
  EXPECT_EQ(pool.take().get(), second) << "what it held before is back";
  other.swap(one);
  EXPECT_EQ(one.get(), first);
  pooled<living>& self = one;
  one = std::move(self);
  EXPECT_EQ(one.get(), first);
}

// Threads take objects, hand them to each other, let them go, and let go of the pool itself, in any
// order.
TEST_F(object_pools, give_an_object_to_one_holder_at_a_time) {
  stress(40, [](unsigned seed) {
    constexpr unsigned threads = 4;
    living::count = 0;
    disturbance setting(seed);
    const std::size_t most = setting.one_in(3) ? 1 + setting.below(10) : setting.one_in(2) ? 50 : 10'000;
    std::optional<object_pool<living>> pool(std::in_place, weir::object_pool_options<living>{.max_kept = most});
    std::mutex mutex;
    std::vector<pooled<living>> handed_over;
    std::barrier start(threads);
    std::vector<std::jthread> all;
    for (unsigned t = 0; t != threads; ++t) {
      all.emplace_back([&, t, mine = std::optional(*pool)]() mutable {
        disturbance random(seed * threads + t);
        std::vector<pooled<living>> held;
        start.arrive_and_wait();
        for (int i = 0; i != 500; ++i) {
          if (random.one_in(2)) {
            held.push_back(mine->take());
            use(held.back());
          } else if (!held.empty()) {
            pooled<living> last = std::move(held.back());
            held.pop_back();
            if (random.one_in(2)) {
              const std::lock_guard lock(mutex);
              handed_over.push_back(std::move(last));
              std::swap(last, handed_over[random.below(static_cast<unsigned>(handed_over.size()))]);
            }
            if (last) let_go(last);
          }
          random.pause();
        }
        {
          const std::lock_guard lock(mutex);
          for (pooled<living>& each : handed_over) {
            if (each) held.push_back(std::move(each));
          }
          handed_over.clear();
        }
        mine.reset();  // the objects that the thread still holds come back when the pool may be gone
        for (pooled<living>& each : held) {
          let_go(each);
          random.pause();
        }
      });
    }
    pool.reset();
    all.clear();
    handed_over.clear();
    EXPECT_EQ(living::count, 0);
  });
}

class object_pools_in_networks : public each_executor {};
WEIR_UNDER_EACH_EXECUTOR(object_pools_in_networks);

TEST_P(object_pools_in_networks, items_go_round) {
  constexpr long count = 5000;
  std::atomic<long> made{0};
  const object_pool<numbers_held> pool({.make =
                                            [&made] {
                                              ++made;
                                              return numbers_held();
                                            },
                                        .reset = [](numbers_held& all) { all.clear(); }});
  long sum = 0;
  weir::network net = weir::source([pool, next = 0L]() mutable -> std::optional<pooled<numbers_held>> {
                        if (next == count) return std::nullopt;
                        pooled<numbers_held> one = pool.take();
                        EXPECT_TRUE(one->empty());
                        one->assign(20, next++);
                        return one;
                      }) |
                      weir::farm(
                          [](pooled<numbers_held> one) {
                            one->push_back(1);
                            return one;
                          },
                          3)
                          .capacity(8)
                          .ordered() |
                      weir::sink([&](pooled<numbers_held> one) {
                        ASSERT_EQ(one->size(), 21U);
                        sum += one->front() + one->back();
                      }).capacity(8);
  run(net);
  EXPECT_EQ(sum, count * (count - 1) / 2 + count);
  EXPECT_LT(made, count / 2) << "bounded by what is under way, not by the number of items";
}

// The workers are copies of one node, and so share the pool that it holds.
TEST_P(object_pools_in_networks, copies_of_a_node_share_theirs) {
  std::optional<object_pool<living>> pool(std::in_place);
  std::vector<pooled<living>> kept;
  run(numbers(300) | weir::farm([pool = *pool](long) { return pool.take(); }, 3) |
      weir::sink([&](pooled<living> one) { kept.push_back(std::move(one)); }));
  EXPECT_EQ(living::count, 300);
  kept.clear();
  EXPECT_EQ(living::count, 300) << "all are back in the one pool";
  for (int i = 0; i != 300; ++i) kept.push_back(pool->take());
  EXPECT_EQ(living::count, 300);
  pool.reset();
  kept.clear();
  EXPECT_EQ(living::count, 0);
}

TEST_P(object_pools_in_networks, a_run_that_fails_gives_everything_back) {
  const object_pool<living> pool;
  EXPECT_THROW(
      run(weir::source([pool]() -> std::optional<pooled<living>> { return pool.take(); }) |
          weir::farm([](pooled<living> one) { return one; }, 2) | weir::sink([seen = 0](pooled<living>) mutable {
            if (++seen == 100) throw std::runtime_error("enough");
          })),
      weir::node_error);
  const long made = living::count;
  std::vector<pooled<living>> all;
  for (long i = 0; i != made; ++i) all.push_back(pool.take());
  EXPECT_EQ(living::count, made) << "nothing was left in the channels";
}

}  // namespace
