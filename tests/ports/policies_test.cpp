// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The policies of an out-port, item by item: who gets an item, who waits, and whom the port asks
// for room. The channels are real; the nodes at both ends only count.

#include "weir/blocks/outlet.hpp"
#include "weir/detail/channel/channel.hpp"
#include "weir/detail/graph/tag.hpp"
#include "weir/detail/ports/out_port.hpp"
#include "weir/graph/error.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace {

using weir::distribution;
using weir::policy;
using weir::policy_tree;

struct node final : weir::detail::host {
  node() : host(at, weir::detail::sleepers::nobody(), weir::detail::sleepers::nobody(), requests) {}
  void wait_in_place() override { ++waits; }
  bool let_those_behind_run() override { return false; }
  std::stop_token stop_token() const noexcept override { return {}; }
  std::stop_token drain_token() const noexcept override { return {}; }
  void make_ready(weir::detail::cause) noexcept override { ++woken; }

  weir::detail::readiness at;
  weir::detail::run_requests requests;
  int waits = 0;
  int woken = 0;
};

policy_tree to(weir::channel_id leaf) { return {{}, {}, leaf}; }
policy_tree by(policy rule, std::vector<policy_tree> children) { return {std::move(rule), std::move(children)}; }
policy_tree to_first(std::size_t count, policy rule) {
  policy_tree made{std::move(rule), {}};
  for (std::size_t i = 0; i != count; ++i) made.children.push_back(to(static_cast<weir::channel_id>(i)));
  return made;
}
policy rule(distribution kind) { return {kind, 1, {}}; }
policy on_demand(std::size_t depth) { return {distribution::on_demand, depth, {}}; }
template <class F>
policy choosing(F choose) {
  return {distribution::custom, 1, policy::chooser(std::move(choose))};
}
policy by_remainder() {
  return choosing([](const void* item, std::size_t width) {
    return static_cast<std::size_t>(*static_cast<const long*>(item)) % width;
  });
}

// The number of words in the tags, and the consumers in other groups.
struct special {
  std::size_t tag_words = 0;
  std::vector<bool> far{};
  std::vector<bool> addressed{};
  std::vector<const weir::detail::loop*> around{};  // the loops that the channels close
};

// A port that sends items of `T` to consumers with channels of the same capacity.
template <class T>
class sender {
 public:
  sender(const policy_tree& tree, std::size_t consumers, std::size_t capacity, const special& is = {})
      : tag(is.tag_words, weir::detail::tag::outside),
        port({&weir::item_type_of<T>(), tree, is.tag_words}, producer, tag) {
    for (std::size_t i = 0; i != consumers; ++i) {
      const bool addressed = !is.addressed.empty() && is.addressed[i];
      nodes.push_back(std::make_unique<node>());
      channels.push_back(std::make_unique<weir::detail::channel>(
          weir::detail::slots_of(weir::item_type_of<T>(), is.tag_words + (addressed ? 1 : 0)), capacity));
    }
    port.route(tree, [&](weir::channel_id leaf) {
      return weir::detail::out_port::target{.data = channels[leaf].get(),
                                            .consumer = nodes[leaf].get(),
                                            .around = is.around.empty() ? nullptr : is.around[leaf],
                                            .far = !is.far.empty() && is.far[leaf]};
    });
  }

  void send(T item) { weir::outlet<T>(port).send(std::move(item)); }
  void send_to(std::size_t index, T item) { weir::outlet<T>(port).send_to(index, std::move(item)); }
  auto try_send(T item) { return weir::outlet<T>(port).try_send(std::move(item)); }
  // Sends the numbers from `first` to `last`.
  void send_all(T first, T last) {
    for (T each = first; each <= last; ++each) send(each);
  }

  // Takes at most `most` items from a consumer's channel.
  std::vector<T> taken(std::size_t consumer, std::size_t most = 1000) {
    std::vector<T> all;
    while (all.size() != most && channels[consumer]->claim_written() != 0) {
      channels[consumer]->read(1).template take<T>([&](T&& item) { all.push_back(std::move(item)); });
    }
    return all;
  }

  // Consumers that the port asked for room, before it waits.
  // @return nothing if there is room already
  std::optional<std::vector<std::size_t>> asked() {
    if (port.ask_for_room()) return std::nullopt;
    std::vector<std::size_t> found;
    for (const weir::detail::channel* each : port.asked()) {
      for (std::size_t i = 0; i != channels.size(); ++i) {
        if (channels[i].get() == each) found.push_back(i);
      }
    }
    return found;
  }

  node producer;
  std::vector<weir::detail::tag::word> tag;
  std::vector<std::unique_ptr<node>> nodes;
  std::vector<std::unique_ptr<weir::detail::channel>> channels;
  weir::detail::out_port port;
};

using numbers = std::vector<long>;
using consumers = std::vector<std::size_t>;

// ---- balance ----

TEST(balance, gives_items_of_unknown_cost_one_by_one) {
  sender<long> from(to_first(3, rule(distribution::balance)), 3, 4);
  from.send_all(0, 5);
  EXPECT_EQ(from.taken(0), numbers({0, 3}));
  EXPECT_EQ(from.taken(1), numbers({1, 4}));
  EXPECT_EQ(from.taken(2), numbers({2, 5}));
}

TEST(balance, gives_cheap_items_in_runs) {
  sender<long> from(to_first(2, rule(distribution::balance)), 2, 4);
  for (auto& each : from.nodes) each->item_cost.store(10);
  from.send_all(0, 7);
  EXPECT_EQ(from.taken(0), numbers({0, 1, 2, 3}));
  EXPECT_EQ(from.taken(1), numbers({4, 5, 6, 7}));
}

TEST(balance, lets_few_costly_items_wait_for_a_consumer) {
  sender<long> from(to_first(2, rule(distribution::balance)), 2, 64);
  for (auto& each : from.nodes) each->item_cost.store(50'000);
  from.send_all(0, 20);
  EXPECT_EQ(from.taken(0).size(), 4U) << "200 us of work";
  EXPECT_EQ(from.taken(1).size(), 4U);
}

TEST(balance, passes_over_a_consumer_without_room) {
  sender<long> from(to_first(2, rule(distribution::balance)), 2, 2);
  from.send_all(0, 3);
  EXPECT_EQ(from.taken(1), numbers({1, 3}));
  from.send_all(4, 5);
  EXPECT_EQ(from.taken(0), numbers({0, 2}));
  EXPECT_EQ(from.taken(1), numbers({4, 5}));
}

TEST(balance, asks_all_and_goes_on_with_the_first_that_has_room) {
  sender<long> from(to_first(2, rule(distribution::balance)), 2, 1);
  from.send_all(0, 2);
  EXPECT_TRUE(from.port.spilled());
  EXPECT_FALSE(from.port.drain());
  EXPECT_EQ(from.asked(), consumers({0, 1}));
  EXPECT_EQ(from.taken(1), numbers({1}));
  EXPECT_TRUE(from.port.drain());
  for (const auto& each : from.channels) EXPECT_EQ(each->room_wanted(), weir::detail::channel::never);
  EXPECT_EQ(from.taken(1), numbers({2}));
  EXPECT_EQ(from.taken(0), numbers({0}));
}

TEST(balance, uses_other_groups_only_if_no_near_consumer_has_room) {
  sender<long> from(to_first(3, rule(distribution::balance)), 3, 2, {.far = {true, false, false}});
  from.send_all(0, 4);
  EXPECT_EQ(from.taken(0), numbers({4}));
  EXPECT_EQ(from.taken(1), numbers({0, 2}));
  EXPECT_EQ(from.taken(2), numbers({1, 3}));
}

TEST(balance, ends_only_with_its_last_consumer) {
  sender<long> from(to_first(2, rule(distribution::balance)), 2, 1);
  from.channels[0]->abandon();
  from.send(0);
  EXPECT_EQ(from.taken(1), numbers({0}));
  from.channels[1]->abandon();
  EXPECT_TRUE(from.port.abandoned());
  EXPECT_THROW(from.send(1), weir::stopped);
}

// ---- on_demand ----

TEST(on_demand, assigns_no_more_than_its_depth) {
  sender<long> from(to_first(2, on_demand(2)), 2, 8);
  from.send_all(0, 3);
  EXPECT_FALSE(from.port.spilled());
  from.send(4);
  EXPECT_TRUE(from.port.spilled());
  EXPECT_FALSE(from.port.drain());
  EXPECT_EQ(from.asked(), consumers({0, 1}));
  EXPECT_EQ(from.taken(1, 1).size(), 1U);
  EXPECT_TRUE(from.port.drain());
  EXPECT_EQ(from.taken(0).size(), 2U);
  EXPECT_EQ(from.taken(1).back(), 4);
}

TEST(on_demand, counts_all_that_a_nested_consumer_holds) {
  sender<long> from(by(on_demand(2), {to_first(2, rule(distribution::round_robin)), to(2)}), 3, 8);
  from.send_all(0, 3);
  EXPECT_FALSE(from.port.spilled());
  from.send(4);
  EXPECT_FALSE(from.port.drain());
  EXPECT_EQ(from.asked(), consumers({0, 1, 2})) << "any completion may be the awaited one";
  EXPECT_EQ(from.taken(1).size(), 1U);
  EXPECT_TRUE(from.port.drain());
  EXPECT_EQ(from.taken(0).size(), 2U) << "its turn inside";
  EXPECT_EQ(from.taken(2).size(), 2U);
}

// ---- round_robin ----

TEST(round_robin, goes_from_one_to_the_next) {
  sender<long> from(to_first(3, rule(distribution::round_robin)), 3, 4);
  from.send_all(0, 6);
  EXPECT_EQ(from.taken(0), numbers({0, 3, 6}));
  EXPECT_EQ(from.taken(1), numbers({1, 4}));
  EXPECT_EQ(from.taken(2), numbers({2, 5}));
}

TEST(round_robin, waits_for_the_consumer_whose_turn_it_is) {
  sender<long> from(to_first(2, rule(distribution::round_robin)), 2, 1);
  from.send_all(0, 3);
  EXPECT_EQ(from.taken(1), numbers({1}));
  EXPECT_FALSE(from.port.drain());
  EXPECT_EQ(from.asked(), consumers({0}));
  EXPECT_EQ(from.taken(0), numbers({0}));
  EXPECT_TRUE(from.port.drain());
  EXPECT_EQ(from.taken(0), numbers({2}));
  EXPECT_EQ(from.taken(1), numbers({3}));
  from.channels[0]->abandon();
  EXPECT_THROW(from.send_all(4, 9), weir::stopped);
}

// ---- by_key and custom ----

TEST(choice, waits_for_the_chosen_consumer_and_chooses_once) {
  std::size_t calls = 0;
  sender<long> from(to_first(2, choosing([&calls](const void* item, std::size_t width) {
                               ++calls;
                               return static_cast<std::size_t>(*static_cast<const long*>(item)) % width;
                             })),
                    2, 2);
  for (const long each : {0, 2, 4}) from.send(each);
  EXPECT_TRUE(from.port.spilled()) << "although the other consumer has room";
  EXPECT_FALSE(from.port.drain());
  EXPECT_EQ(from.asked(), consumers({0}));
  EXPECT_EQ(from.taken(0), numbers({0, 2}));
  EXPECT_TRUE(from.port.drain());
  EXPECT_EQ(calls, 3U);
  from.send(5);
  EXPECT_EQ(from.taken(0), numbers({4}));
  EXPECT_EQ(from.taken(1), numbers({5}));
}

TEST(choice, of_an_item_that_throws_is_left_behind_by_no_item) {
  sender<long> from(to_first(2, choosing([](const void* item, std::size_t) -> std::size_t {
                               const long value = *static_cast<const long*>(item);
                               if (value == 7) throw std::runtime_error("seven");
                               return static_cast<std::size_t>(value);
                             })),
                    2, 2);
  EXPECT_THROW(from.send(2), std::out_of_range);
  EXPECT_THROW(from.send(7), std::runtime_error);
  from.send_all(0, 1);
  EXPECT_EQ(from.taken(0), numbers({0}));
  EXPECT_EQ(from.taken(1), numbers({1}));
}

TEST(choice, of_an_item_that_can_not_be_sent_is_left_behind_by_no_item) {
  weir::detail::loop ended("/loop", 0);
  ended.close();
  sender<long> s(to_first(2, by_remainder()), 2, 4, {.around = {&ended, nullptr}});
  EXPECT_THROW(s.send(0), std::logic_error);
  s.send(1);
  EXPECT_THROW(static_cast<void>(s.try_send(0)), std::logic_error);
  s.send(1);
  long item = 0;
  EXPECT_THROW(s.port.send_relocated(&item), std::logic_error);
  s.send(1);
  EXPECT_EQ(s.taken(1), (std::vector<long>{1, 1, 1}));
}

TEST(choice, is_forgotten_with_an_item_that_is_refused) {
  sender<long> from(to_first(2, by_remainder()), 2, 1);
  from.send(0);
  const auto back = from.try_send(2);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->item, 2);
  EXPECT_EQ(back->why, weir::refusal::full);
  from.send(1);
  EXPECT_EQ(from.taken(1), numbers({1}));
  from.channels[0]->abandon();
  from.taken(0);
  EXPECT_EQ(from.try_send(4)->why, weir::refusal::closed);
  EXPECT_THROW(from.send(6), weir::stopped);
  from.send(3);
  EXPECT_EQ(from.taken(1), numbers({3}));
}

TEST(choice, below_a_route_tried_in_vain_is_forgotten) {
  sender<long> from(by(rule(distribution::balance), {to_first(2, by_remainder()), by(by_remainder(), {to(2), to(3)})}),
                    4, 1);
  from.send_all(0, 1);  // to 0, and to 3
  from.send(2);         // its place behind 0 is taken: to 2
  EXPECT_FALSE(from.port.spilled());
  EXPECT_EQ(from.taken(2), numbers({2}));
  from.send(3);  // to 1, not where 2 would have gone
  EXPECT_EQ(from.taken(1), numbers({3}));
}

TEST(choice, of_an_item_that_another_choice_refuses_is_forgotten) {
  const policy refuses_seven = choosing([](const void* item, std::size_t) -> std::size_t {
    if (*static_cast<const long*>(item) == 7) throw std::runtime_error("seven");
    return 0;
  });
  sender<long> from(by(rule(distribution::broadcast), {to_first(2, by_remainder()), by(refuses_seven, {to(2)})}), 3, 4);
  EXPECT_THROW(from.send(7), std::runtime_error);
  from.send(8);
  EXPECT_EQ(from.taken(0), numbers({8}));
  EXPECT_EQ(from.taken(1), numbers());
  EXPECT_EQ(from.taken(2), numbers({8}));
}

TEST(choice, of_a_punctuation_asks_nobody) {
  bool asked = false;
  sender<long> from(to_first(2, choosing([&asked](const void*, std::size_t) {
                               asked = true;
                               return std::size_t{1};
                             })),
                    2, 2, {.tag_words = 1});
  from.port.send_punctuation();
  EXPECT_FALSE(asked);
  ASSERT_EQ(from.channels[0]->claim_written(), 1U);
  EXPECT_TRUE(weir::detail::tag::is_punctuation(from.channels[0]->read(1).item()));
}

// ---- broadcast ----

TEST(broadcast, gives_each_consumer_a_copy) {
  sender<long> from(to_first(3, rule(distribution::broadcast)), 3, 256);
  from.send_all(1, 200);
  for (const std::size_t each : {0, 1, 2}) {
    const numbers got = from.taken(each);
    ASSERT_EQ(got.size(), 200U);
    for (std::size_t i = 0; i != got.size(); ++i) EXPECT_EQ(got[i], static_cast<long>(i) + 1);
  }
}

TEST(broadcast, copies_items_that_own_memory) {
  sender<std::string> from(to_first(3, rule(distribution::broadcast)), 3, 4);
  const std::string text(100, 'x');
  from.send(text);
  from.send("y");
  for (const std::size_t each : {0, 1, 2}) EXPECT_EQ(from.taken(each), std::vector<std::string>({text, "y"}));
}

TEST(broadcast, waits_until_all_have_room) {
  sender<long> from(to_first(2, rule(distribution::broadcast)), 2, 2);
  from.send_all(0, 2);
  EXPECT_EQ(from.taken(0), numbers({0, 1}));
  EXPECT_FALSE(from.port.drain());
  EXPECT_EQ(from.asked(), consumers({1}));
  EXPECT_TRUE(from.taken(0).empty());
  EXPECT_EQ(from.taken(1), numbers({0, 1}));
  EXPECT_TRUE(from.port.drain());
  EXPECT_EQ(from.taken(0), numbers({2}));
  EXPECT_EQ(from.taken(1), numbers({2}));
  from.channels[1]->abandon();
  EXPECT_TRUE(from.port.abandoned());
}

TEST(broadcast, lends_no_slots_to_the_spill) {
  sender<long> from(to_first(2, rule(distribution::broadcast)), 2, 2);
  from.send_all(0, 2);
  EXPECT_EQ(from.taken(0), numbers({0, 1}));
  EXPECT_EQ(from.taken(1), numbers({0, 1}));
  EXPECT_TRUE(from.port.drain());
  EXPECT_FALSE(from.port.has_run());
  from.send_all(3, 4);
  EXPECT_EQ(from.taken(0), numbers({2, 3}));
  EXPECT_EQ(from.taken(1), numbers({2, 3}));
  EXPECT_TRUE(from.port.drain());
  EXPECT_EQ(from.taken(0), numbers({4}));
  EXPECT_EQ(from.taken(1), numbers({4}));
}

TEST(broadcast, of_a_broadcast_reaches_every_channel) {
  sender<long> from(by(rule(distribution::broadcast), {to_first(2, rule(distribution::broadcast)), to(2)}), 3, 4);
  from.send_all(0, 2);
  for (const std::size_t each : {0, 1, 2}) EXPECT_EQ(from.taken(each), numbers({0, 1, 2}));
}

TEST(broadcast, sends_punctuations_to_all) {
  sender<std::string> from(to_first(2, rule(distribution::broadcast)), 2, 4, {.tag_words = 1});
  from.port.send_punctuation();
  for (auto& each : from.channels) {
    ASSERT_EQ(each->claim_written(), 1U);
    EXPECT_TRUE(weir::detail::tag::is_punctuation(each->read(1).item()));
  }
}

// ---- all ----

TEST(out_port, sends_to_a_consumer_by_number) {
  sender<long> from(to_first(3, rule(distribution::round_robin)), 3, 2);
  from.send_to(2, 5);
  EXPECT_EQ(from.taken(2), numbers({5}));
  EXPECT_THROW(from.send_to(3, 6), std::out_of_range);
  from.send(7);
  EXPECT_EQ(from.taken(0), numbers({7})) << "the policy goes on where it was";
}

TEST(out_port, addresses_consumers_behind_a_relay) {
  policy_tree tree = to_first(2, rule(distribution::broadcast));
  tree.children[1].stands_for = {0, 2};
  sender<long> from(tree, 2, 4, {.addressed = {false, true}});
  EXPECT_EQ(from.port.width(), 3U);
  from.send_to(1, 10);
  EXPECT_EQ(from.taken(0), numbers({10})) << "the consumer without a relay has the number that is left";
  from.send_to(2, 11);
  ASSERT_EQ(from.channels[1]->claim_written(), 1U);
  EXPECT_EQ(weir::detail::tag::number(weir::detail::tag::of(from.channels[1]->read(1).item(), 0)), 1U);
  EXPECT_EQ(from.taken(1), numbers({11}));
  from.send(12);
  ASSERT_EQ(from.channels[1]->claim_written(), 1U);
  EXPECT_EQ(weir::detail::tag::of(from.channels[1]->read(1).item(), 0), weir::detail::tag::outside);
  EXPECT_EQ(from.taken(0), numbers({12}));
}

TEST(out_port, keeps_the_order_of_spilled_items_and_waits_once_there_are_many) {
  sender<std::string> from(to(0), 1, 1);
  from.producer.has_core = false;
  for (const char* each : {"a", "b", "c"}) from.send(each);
  EXPECT_EQ(from.producer.spilling.load(), 1U);
  EXPECT_EQ(from.producer.waits, 1) << "twice the capacity has spilled";
  for (const char* each : {"a", "b", "c"}) {
    EXPECT_EQ(from.taken(0), std::vector<std::string>({each}));
    from.port.drain();
  }
  EXPECT_EQ(from.producer.spilling.load(), 0U);
}

TEST(out_port, lets_no_item_overtake_the_spill) {
  sender<long> from(to_first(2, rule(distribution::balance)), 2, 4);
  for (auto& each : from.nodes) each->item_cost.store(10);
  from.send_all(0, 8);  // the last one spills
  from.send_to(1, 9);
  EXPECT_EQ(from.taken(0), numbers({0, 1, 2, 3}));
  EXPECT_FALSE(from.port.drain()) << "consumer 1 has no room for 9";
  EXPECT_FALSE(from.port.has_run()) << "although there is room behind 8";
  EXPECT_EQ(from.taken(0), numbers({8}));
}

TEST(out_port, tells_consumers_at_a_flush_and_when_it_finds_no_room) {
  sender<long> from(to_first(2, rule(distribution::round_robin)), 2, 2);
  for (auto& each : from.nodes) {
    each->at.enter();
    ASSERT_TRUE(each->at.leave(weir::detail::cause::input));
  }
  from.send(0);
  EXPECT_EQ(from.nodes[0]->woken, 0);
  EXPECT_TRUE(from.port.publish());
  weir::detail::native_atomics::fence_full();
  from.port.notify_consumers();
  EXPECT_EQ(from.nodes[0]->woken, 1);
  EXPECT_EQ(from.nodes[1]->woken, 0) << "nothing was sent there";
  EXPECT_FALSE(from.port.publish());
  for (int i = 0; i != 3; ++i) from.send_to(1, i);
  EXPECT_EQ(from.nodes[1]->woken, 1) << "the third item finds the channel full";
}

}  // namespace
