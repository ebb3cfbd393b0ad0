// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// If all orders of some code are necessary, all its mutants must be killed; orders that are
// stronger than necessary must be named.
#include "explore.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <string>

namespace {

using namespace explore;
using enum std::memory_order;

// A textbook ring with cached indices, and a consumer that sleeps when the ring is empty.
template <class T, class Atomics, std::size_t capacity>
class textbook_ring {
 public:
  template <class I>
  using shared = typename Atomics::template atomic<I>;

  bool push(int value) {
    const unsigned tail = tail_.load(relaxed);
    if (tail - head_seen_ == capacity) head_seen_ = head_.load(acquire);
    if (tail - head_seen_ == capacity) return false;
    ::new (slot(tail)) T(value);
    tail_.store(tail + 1, release);
    return true;
  }

  std::optional<T> pop() {
    const unsigned head = head_.load(relaxed);
    if (head == tail_seen_) tail_seen_ = tail_.load(acquire);
    if (head == tail_seen_) return std::nullopt;
    T* item = std::launder(reinterpret_cast<T*>(slot(head)));
    std::optional<T> taken(std::move(*item));
    std::destroy_at(item);
    head_.store(head + 1, release);
    return taken;
  }

  bool empty() const { return tail_.load(relaxed) == head_.load(relaxed); }

  // Called after a push.
  void wake(parker& sleeper) {
    Atomics::fence_full();
    if (asleep_.load(relaxed)) sleeper.unpark();
  }

  // Called after a pop that found nothing.
  void sleep(parker& sleeper) {
    asleep_.store(true, relaxed);
    Atomics::fence_full();
    if (!Atomics::keep("look again before sleeping") || empty()) sleeper.park();
    asleep_.store(false, relaxed);
  }

 private:
  void* slot(unsigned index) { return slots_.data() + sizeof(T) * (index % capacity); }

  alignas(T) std::array<std::byte, sizeof(T) * capacity> slots_;
  shared<unsigned> head_{0}, tail_{0};
  shared<bool> asleep_{false};
  unsigned head_seen_ = 0, tail_seen_ = 0;
};

using model_ring = textbook_ring<tracked, model_atomics, 2>;

void takes_in_order(model_ring& ring, int items) {
  for (int expected = 0; expected != items; ++expected) {
    std::optional<tracked> item;
    await([&] { return (item = ring.pop()).has_value(); });
    check(item->value() == expected, "an item is lost, repeated or out of order");
  }
}

const std::vector<scenario> ring_scenarios = {
    {"stream",
     [](execution& e) {
       auto ring = std::make_shared<model_ring>();
       e.thread([=] {
         for (int i = 0; i != 3; ++i) await([&] { return ring->push(i); });
       });
       e.thread([=] { takes_in_order(*ring, 3); });
     },
     {.preemptions = 2, .stale = 2}},
    {"sleep",
     [](execution& e) {
       auto ring = std::make_shared<model_ring>();
       auto sleeper = std::make_shared<parker>();
       e.thread([=] {
         check(ring->push(7), "there is room");
         ring->wake(*sleeper);
       });
       e.thread([=] {
         for (;;) {
           if (auto item = ring->pop()) {
             check(item->value() == 7, "the item arrives");
             break;
           }
           ring->sleep(*sleeper);
         }
       });
     },
     {.preemptions = 2, .stale = 2}},
};

TEST(mutants, of_a_textbook_ring_are_all_found) {
  const mutant_report report = mutate(ring_scenarios, "mutants_test");
  EXPECT_EQ(report.broken, "");
  EXPECT_TRUE(report.survivors().empty()) << report.text(true);
  EXPECT_EQ(report.mutants.size(), 7U) << report.text(true);  // four accesses, two fences, one re-check
  RecordProperty("mutants", report.text(true));
}

TEST(mutants, that_are_stronger_than_necessary_survive_and_are_named) {
  const scenario counting = {"count", [](execution& e) {
                               auto count = std::make_shared<atomic<int>>(0);
                               for (int i = 0; i != 2; ++i) e.thread([=] { count->fetch_add(1, acq_rel); });
                               e.finally([=] { check(count->load(relaxed) == 2, "all are counted"); });
                             }};
  const mutant_report report = mutate({counting}, "mutants_test");
  EXPECT_EQ(report.survivors().size(), 3U) << report.text();  // the forms acquire, release, and then relaxed
  EXPECT_NE(report.text().find("update(acq_rel) -> relaxed"), std::string::npos) << report.text();
}

TEST(mutants, of_a_broken_scenario_are_not_tried) {
  const scenario broken = {"broken", [](execution& e) {
                             auto flag = std::make_shared<atomic<bool>>(false);
                             e.thread([=] { flag->store(true, release); });
                             e.finally([=] { check(!flag->load(relaxed), "nobody stores"); });
                           }};
  const mutant_report report = mutate({broken}, "");
  EXPECT_NE(report.broken.find("nobody stores"), std::string::npos);
  EXPECT_TRUE(report.mutants.empty());
}

}  // namespace
