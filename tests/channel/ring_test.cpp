// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/channel/ring.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>

namespace {

// One suite for bounded and unbounded channels.
class each_channel : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(with_capacity, each_channel, testing::Values(1, 2, 7, 64, weir::ring<int>::unbounded));

TEST_P(each_channel, is_first_in_first_out_between_two_threads) {
  // With little room the threads wait for each other at each item: beside other work for
  // milliseconds.
  const bool is_tight = GetParam() != weir::ring<long>::unbounded && GetParam() < 64;
  const long count = is_tight ? 5'000 : 200'000;
  weir::ring<long> ring(GetParam(), 16);
  std::thread producer([&] {
    for (long i = 0; i != count; ++i) {
      while (auto back = ring.try_push(i)) {
        EXPECT_EQ(back->why, weir::refusal::full);
        std::this_thread::yield();
      }
    }
    ring.close();
  });
  long expected = 0;
  while (!ring.ended()) {
    if (auto item = ring.try_pop()) {
      ASSERT_EQ(*item, expected++);
    } else {
      std::this_thread::yield();
    }
  }
  producer.join();
  EXPECT_EQ(expected, count);
}

TEST_P(each_channel, carries_move_only_items_and_destroys_what_is_left) {
  auto shared = std::make_shared<int>(1);
  {
    weir::ring<std::unique_ptr<std::shared_ptr<int>>> ring(GetParam(), 2);
    for (int i = 0; i != 5; ++i) (void)ring.try_push(std::make_unique<std::shared_ptr<int>>(shared));
    auto item = ring.try_pop();
    ASSERT_TRUE(item);
    EXPECT_EQ(item->get()->get(), shared.get());
  }
  EXPECT_EQ(shared.use_count(), 1);
}

TEST_P(each_channel, is_filled_and_drained_by_many_at_a_time) {
  weir::ring<int> ring(GetParam(), 3);
  const std::size_t room = GetParam() == weir::ring<int>::unbounded ? 10 : std::min<std::size_t>(GetParam(), 10);
  int made = 0;
  int expected = 0;
  for (int round = 0; round != 5; ++round) {
    EXPECT_EQ(ring.fill([&] { return made++; }, 10), room);
    EXPECT_EQ(ring.drain([&](int item) { EXPECT_EQ(item, expected++); }, 1), 1U);
    EXPECT_EQ(ring.drain([&](int item) { EXPECT_EQ(item, expected++); }), room - 1);
    EXPECT_EQ(ring.drain([](int) {}), 0U);
  }
  EXPECT_EQ(made, expected);
  ring.abandon();
  EXPECT_EQ(ring.fill([&] { return made++; }, 10), 0U);
}

TEST_P(each_channel, keeps_count_when_making_or_consuming_throws) {
  weir::ring<std::shared_ptr<int>> ring(GetParam() == weir::ring<int>::unbounded ? GetParam() : GetParam() + 3);
  const auto shared = std::make_shared<int>(1);
  int made = 0;
  EXPECT_THROW(ring.fill([&] { return made++ == 2 ? throw 1 : shared; }), int);
  EXPECT_EQ(shared.use_count(), 3);
  int consumed = 0;
  EXPECT_THROW(ring.drain([&](const std::shared_ptr<int>&) {
    if (consumed++ == 0) throw 1;
  }),
               int);
  EXPECT_EQ(shared.use_count(), 2);
  EXPECT_EQ(ring.drain([&](const std::shared_ptr<int>&) { ++consumed; }), 1U);
  EXPECT_EQ(consumed, 2);
  EXPECT_EQ(shared.use_count(), 1);
}

TEST(ring, gives_the_item_back_and_tells_full_from_closed) {
  weir::ring<std::string> ring(1);
  ASSERT_FALSE(ring.try_push("first"));
  auto back = ring.try_push("second");
  ASSERT_TRUE(back);
  EXPECT_EQ(back->item, "second");
  EXPECT_EQ(back->why, weir::refusal::full);
  ring.abandon();
  back = ring.try_push("third");
  ASSERT_TRUE(back);
  EXPECT_EQ(back->item, "third");
  EXPECT_EQ(back->why, weir::refusal::closed);
}

TEST(ring, has_ended_only_when_closed_and_empty) {
  weir::ring<int> ring(4);
  ASSERT_FALSE(ring.try_push(1));
  EXPECT_FALSE(ring.ended());
  ring.close();
  EXPECT_FALSE(ring.ended());
  EXPECT_EQ(ring.try_pop(), 1);
  EXPECT_TRUE(ring.ended());
}

TEST(ring, keeps_over_aligned_items_aligned) {
  struct alignas(128) wide {
    int value;
  };
  weir::ring<wide> ring(3);
  for (int i = 0; i != 10; ++i) {
    ASSERT_FALSE(ring.try_push(wide{i}));
    const std::size_t drained = ring.drain([&](wide&& item) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&item) % 128, 0U);
      EXPECT_EQ(item.value, i);
    });
    EXPECT_EQ(drained, 1U);
  }
}

}  // namespace
