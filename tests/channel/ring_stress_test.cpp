// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The ring, and the wake-up protocol on top of it, between two threads that pause at random. See
// `stress` for the environment variables. If a wake-up is lost, the test hangs.

#include "weir/channel/ring.hpp"
#include "weir/detail/channel/parker.hpp"
#include "weir/detail/channel/readiness.hpp"

#include "counted.hpp"
#include "stress.hpp"

#include <memory>
#include <thread>

namespace {

using namespace weir_test;
using item = std::unique_ptr<counted>;  // on the heap, so that the sanitizers see the accesses to it

item make_item(long value) { return std::make_unique<counted>(value); }

class ring_stress : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(with_capacity, ring_stress, testing::Values(1, 2, 3, 7, 64, weir::ring<item>::unbounded));

// Puts in 0, 1, … count - 1, one or several at a time, at random.
// @return number of items that were accepted
long produce(weir::ring<item>& ring, long count, unsigned seed) {
  disturbance disturb(seed);
  long made = 0;
  while (made != count) {
    disturb.pause();
    if (disturb.one_in(2)) {
      const auto most = std::min<std::size_t>(1 + disturb.below(100), static_cast<std::size_t>(count - made));
      if (ring.fill([&] { return make_item(made++); }, most) == 0) std::this_thread::yield();
      continue;
    }
    if (auto back = ring.try_push(make_item(made))) {
      EXPECT_EQ(back->item->value(), made);
      if (back->why == weir::refusal::closed) return made;
      std::this_thread::yield();
    } else {
      ++made;
    }
  }
  ring.close();
  return count;
}

// Takes items, in a way chosen at random, until the end or until `most` have come.
// @return number of items that came
long consume(weir::ring<item>& ring, long most, unsigned seed) {
  disturbance disturb(seed);
  long seen = 0;
  const auto take = [&](const item& each) { EXPECT_EQ(each->value(), seen++); };
  while (!ring.ended() && seen < most && !testing::Test::HasFailure()) {
    disturb.pause();
    const long before = seen;
    if (disturb.one_in(2)) {
      ring.drain(take, 1 + disturb.below(100));
    } else if (auto each = ring.try_pop()) {
      take(*each);
    }
    if (seen == before) std::this_thread::yield();
  }
  return seen;
}

TEST_P(ring_stress, keeps_every_item_and_the_order) {
  census::reset();
  stress(12, [](unsigned seed) {
    constexpr long count = 4000;
    {
      weir::ring<item> ring(GetParam(), 1 + seed % 9);
      std::jthread producer([&] { EXPECT_EQ(produce(ring, count, seed), count); });
      EXPECT_EQ(consume(ring, count + 1, ~seed), count);
      if (HasFailure()) ring.abandon();
    }
    EXPECT_EQ(census::alive, 0);
  });
}

TEST_P(ring_stress, tells_the_producer_that_the_consumer_has_gone) {
  census::reset();
  stress(30, [](unsigned seed) {
    constexpr long endless = 1'000'000'000;
    const long most = 1 + static_cast<long>(seed) * 37 % 500;
    {
      weir::ring<item> ring(GetParam(), 1 + seed % 9);
      long taken = 0;
      std::jthread producer([&] { taken = produce(ring, endless, seed); });
      const long seen = consume(ring, most, ~seed);
      ring.abandon();
      producer.join();
      EXPECT_GE(seen, most);
      EXPECT_GE(taken, seen);
    }
    EXPECT_EQ(census::alive, 0);
  });
}

// A thread that runs a node by its state word and sleeps while the node waits, like the executor
// that has one thread for each node.
struct sleeper {
  weir::detail::readiness state{weir::detail::readiness::running};
  weir::detail::parker place;

  void tell(weir::detail::cause why) {
    weir::detail::native_atomics::fence_full();
    if (state.notify(why)) place.unpark();
  }
  void wait(weir::detail::cause why) {
    if (!state.leave(why)) return;
    place.park();
    state.enter();
  }
};

TEST_P(ring_stress, wakes_a_side_that_sleeps_for_the_other) {
  stress(6, [](unsigned seed) {
    constexpr long count = 4000;
    weir::detail::channel data(weir::layout_of<long>(), GetParam(), 1 + seed % 9);
    sleeper producing;
    sleeper consuming;
    std::jthread producer([&] {
      disturbance disturb(seed);
      for (long i = 0; i != count; ++i) {
        disturb.pause();
        while (!data.position().has_slot() && data.grant(1 + disturb.below(64)) == 0) {
          data.publish();
          consuming.tell(weir::detail::cause::input);
          data.want_room(1 + disturb.below(8));
          weir::detail::native_atomics::fence_full();
          if (!data.room_is_due()) producing.wait(weir::detail::cause::room);
          data.want_no_room();
        }
        {
          auto slots = data.write();
          ::new (static_cast<void*>(slots.item())) long(i);
          slots.done();
        }
        if (disturb.one_in(3)) {
          data.publish();
          disturb.pause();
          consuming.tell(weir::detail::cause::input);
        }
      }
      data.close();
      consuming.tell(weir::detail::cause::input);
    });
    disturbance disturb(~seed);
    for (long expected = 0; !data.ended();) {
      disturb.pause();
      const std::size_t found = disturb.one_in(2) ? data.claim() : data.claim_written();
      if (found != 0) {
        for (auto items = data.read(found, disturb.one_in(2) ? weir::detail::told::each : weir::detail::told::together);
             items.more();) {
          items.take<long>([&](long each) { EXPECT_EQ(each, expected++); });
        }
        weir::detail::native_atomics::fence_full();
        disturb.pause();
        if (data.room_is_due()) producing.tell(weir::detail::cause::room);
      } else if (!data.ended()) {
        consuming.wait(weir::detail::cause::input);
      }
    }
    EXPECT_EQ(data.completed(), static_cast<weir::detail::channel::index>(count));
  });
}

}  // namespace
