// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Properties that hold for every executor and every kind of channel.

#include "weir/detail/graph/behaviour.hpp"
#include "weir/graph/graph.hpp"

#include "counted.hpp"
#include "nestings.hpp"
#include "networks.hpp"

#include <algorithm>
#include <atomic>
#include <latch>
#include <numeric>
#include <ostream>
#include <stdexcept>
#include <thread>

namespace {

using namespace weir_test;

// The settings that every channel of a network gets.
struct channel_kind {
  const char* name;
  std::size_t capacity;  // 0: chosen from the item's size
  bool unbounded;

  friend std::ostream& operator<<(std::ostream& out, const channel_kind& kind) { return out << kind.name; }
};

class conformance : public testing::TestWithParam<std::tuple<under, channel_kind>> {
 protected:
  const channel_kind& channels() const { return std::get<1>(GetParam()); }
  const weir::run_options& options() const { return std::get<0>(GetParam()).options; }

  weir::network prepared(weir::network net) const {
    for (auto& each : net.resolve(2).channels()) {
      if (each.loop != weir::no_loop) continue;
      each.capacity = channels().capacity;
      each.unbounded = channels().unbounded;
    }
    return net;
  }
  weir::report run(weir::network net) const { return weir::run(prepared(std::move(net)), options()); }
};

INSTANTIATE_TEST_SUITE_P(
    under, conformance,
    testing::Combine(testing::ValuesIn(executors()),
                     testing::Values(channel_kind{"as_chosen", 0, false}, channel_kind{"of_one", 1, false},
                                     channel_kind{"of_three", 3, false}, channel_kind{"unbounded", 0, true})),
    [](const auto& each) { return std::string(std::get<0>(each.param).name) + "_" + std::get<1>(each.param).name; });

TEST_P(conformance, every_nesting_passes_every_item) {
  constexpr long count = 1000;
  std::vector<long> expected(count);
  std::iota(expected.begin(), expected.end(), 3);
  for (const auto& [name, nesting] : nestings()) {
    SCOPED_TRACE(name);
    std::vector<long> seen;
    run(numbers(count) | nesting | into(seen));
    std::sort(seen.begin(), seen.end());
    ASSERT_EQ(seen, expected);
  }
}

TEST_P(conformance, a_pipeline_keeps_the_order) {
  std::vector<long> seen;
  run(numbers(2000) | add(1) | weir::farm(add(1), 1) | add(1) | into(seen));
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(seen.size(), 2000U);
}

TEST_P(conformance, what_exists_is_bounded_by_the_channels_when_the_sink_is_slow) {
  if (channels().unbounded) GTEST_SKIP() << "nothing bounds it";
  census::reset();
  long seen = 0;
  const weir::report report = run(weir::source([made = 0L]() mutable -> std::optional<counted> {
                                    if (made == 10'000) return std::nullopt;
                                    return counted(made++);
                                  }) |
                                  weir::farm([](counted item) { return item; }, 2) | weir::sink([&](const counted&) {
                                    // On a loaded machine a yield may take milliseconds.
                                    if (seen++ % 20 == 0) std::this_thread::yield();
                                  }));
  long room = 2 * static_cast<long>(report.nodes.size());  // each node has one item in hand and one spilled
  for (const auto& each : report.channels) room += static_cast<long>(each.capacity);
  EXPECT_EQ(seen, 10'000);
  EXPECT_LE(census::peak, room);
  EXPECT_EQ(census::alive, 0);
}

// ---- errors: in which node, at which moment ----

struct broken : std::runtime_error {
  broken() : std::runtime_error("no more") {}
};

enum class moment { factory, start, process, finish };
constexpr std::array moments{moment::factory, moment::start, moment::process, moment::finish};
const char* name_of(moment when) {
  return std::array{"factory", "start", "process", "finish"}[static_cast<std::size_t>(when)];
}

// The node that throws, the moment at which it throws, and how often the source has been asked for
// an item.
struct plan {
  std::string who;
  moment when;
  std::atomic<long> asked{0};
};

// A node that throws if the plan says so: at once, or when its neighbours are blocked.
struct actor {
  plan* what;
  std::string me;
  bool once_all_are_blocked;

  bool due(moment now) const { return what->who == me && what->when == now; }
  void maybe(moment now, weir::context& where) const {
    if (!due(now)) return;
    // When the source has spilled an item, it is not asked again. The sink stays inside `process`.
    const long blocked = once_all_are_blocked && me != "source" ? 2 : 0;
    while (what->asked < blocked && !where.stop_requested()) std::this_thread::yield();
    throw broken();
  }
};

struct acting_source : actor {
  long count = 0;
  void start() const {
    if (due(moment::start)) throw broken();
  }
  std::optional<long> next(weir::context& where) {
    ++what->asked;
    if (count == 1) maybe(moment::process, where);
    if (what->when == moment::finish && count == 1) return std::nullopt;
    return count++;
  }
  void finish() const {
    if (due(moment::finish)) throw broken();
  }
};
struct acting_middle : actor {
  void start(weir::context& where) const { maybe(moment::start, where); }
  long process(long item, weir::context& where) const {
    maybe(moment::process, where);
    return item;
  }
  void finish(weir::context& where) const { maybe(moment::finish, where); }
};
struct acting_sink : actor {
  void start(weir::context& where) const { maybe(moment::start, where); }
  void process(long, weir::context& where) const {
    maybe(moment::process, where);
    if (!once_all_are_blocked || what->who == me) return;
    while (!where.stop_requested()) std::this_thread::yield();
  }
  void finish(weir::context& where) const { maybe(moment::finish, where); }
};

template <class Actor>
auto made_by(plan& what, const char* me, bool blocked) {
  return [&what, me, blocked] {
    if (what.who == me && what.when == moment::factory) throw broken();
    return Actor{{&what, me, blocked}};
  };
}

TEST_P(conformance, an_error_at_any_moment_in_any_place_comes_out_with_its_path) {
  for (const char* who : {"source", "middle", "sink"}) {
    for (const moment when : moments) {
      for (const bool blocked : {false, true}) {
        SCOPED_TRACE(std::string(who) + " in " + name_of(when) + (blocked ? ", all blocked" : ""));
        plan what{who, when};
        // The source and the nodes behind it are each made by a factory.
        const auto source = weir::source(acting_source{{&what, "source", blocked}}).named("source");
        auto middle = weir::farm(made_by<acting_middle>(what, "middle", blocked), 1).named("middle");
        auto sink = weir::farm(made_by<acting_sink>(what, "sink", blocked), 1).named("sink");
        if (blocked) {  // a node that waits for another node can't share a thread with it
          middle = middle.separate();
          sink = sink.separate();
        }
        weir::network net = prepared(source | middle | sink);
        const bool farmed = who != std::string("source");
        if (!farmed && when == moment::factory) {
          net.resolve(2).nodes().front().make = []() -> std::unique_ptr<weir::detail::behaviour> { throw broken(); };
        }
        try {
          weir::run(net, options());
          ADD_FAILURE() << "nothing was thrown";
        } catch (const weir::node_error& error) {
          EXPECT_EQ(error.path(), "/" + std::string(who) + (farmed ? "[0]" : ""));
          EXPECT_THROW(std::rethrow_if_nested(error), broken);
        }
      }
    }
  }
}

// ---- ends requested by the user ----

TEST_P(conformance, cancelling_ends_a_network_that_is_blocked_from_end_to_end) {
  if (channels().unbounded) GTEST_SKIP() << "its sources never block";
  std::atomic<bool> stuck{false};
  std::atomic<bool> finished{false};
  struct tail {
    std::atomic<bool>* stuck;
    std::atomic<bool>* finished;
    void process(long, weir::context& where) const {
      *stuck = true;
      while (!where.stop_requested()) std::this_thread::yield();
    }
    void finish() const { *finished = true; }
  };
  weir::network net = prepared(weir::source([made = 0L]() mutable -> std::optional<long> { return made++; }) |
                               weir::farm(add(0), 3).round_robin() | add(0) | weir::sink(tail{&stuck, &finished}));
  for (int time = 0; time != 2; ++time) {
    stuck = false;
    weir::running now = weir::start(net, options());
    while (!stuck) std::this_thread::yield();
    now.cancel();
    now.wait();
    EXPECT_FALSE(finished);
  }
}

TEST_P(conformance, draining_loses_nothing) {
  std::atomic<long> made{0};
  long seen = 0;
  // From here on the source is slow, too: on a loaded machine it could make millions of items
  // before it is drained.
  constexpr long enough = 200;
  weir::network net = prepared(weir::source([&]() -> std::optional<long> {
                                 if (made >= enough) std::this_thread::yield();
                                 return made++;
                               }) |
                               weir::farm(add(0), 3) | weir::sink([&](long) {
                                 ++seen;
                                 std::this_thread::yield();
                               }));
  weir::running now = weir::start(net, options());
  while (made < enough) std::this_thread::yield();
  now.drain();
  now.wait();
  EXPECT_EQ(seen, made);
}

}  // namespace
