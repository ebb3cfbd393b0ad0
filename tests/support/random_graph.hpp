// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/blocks/shape.hpp"
#include "weir/graph/graph.hpp"
#include "weir/graph/policy.hpp"
#include "weir/weir.hpp"

#include "stress.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace weir_test {

/// Counts that all nodes of one network share.
struct ledger {
  std::atomic<long> alive{0};  ///< number of parcels that exist
  std::atomic<long> made{0};   ///< sum of the values sent, over all copies
  std::atomic<long> used{0};   ///< sum of the values that were not sent on
  std::atomic<int> starts{0};
  std::atomic<int> finishes{0};
  std::atomic<int> thrown{0};
  std::atomic<int> disorders{0};  ///< number of items that arrived before one sent earlier on the same channel

  void reset() {
    for (std::atomic<long>* sum : {&made, &used}) *sum = 0;
    for (std::atomic<int>* count : {&starts, &finishes, &thrown, &disorders}) *count = 0;
  }
};

/// An item with a value and its position among the items of its sender. Its ledger counts it while
/// it exists.
class parcel {
 public:
  parcel(ledger& book, long value, long stamp) : book_(&book), value_(value), stamp_(stamp) { ++book_->alive; }
  parcel(const parcel& other) noexcept : book_(other.book_), value_(other.value_), stamp_(other.stamp_) {
    ++book_->alive;
  }
  parcel& operator=(const parcel&) = default;
  ~parcel() { --book_->alive; }
  long value() const { return value_; }
  long stamp() const { return stamp_; }

 private:
  ledger* book_;
  long value_;
  long stamp_;
};

struct node_failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Faults that a node commits besides its work. Counts are of items; 0: never.
struct misbehaviour {
  enum class where { nowhere, start, process, finish };
  where fails = where::nowhere;
  long after = 0;        ///< the node fails in `process` at this item
  long ends_at = 0;      ///< the node ends early at this item, by `weir::stopped`
  bool endless = false;  ///< for sources: does not end by itself
};

/// Common part of all nodes of a random graph. It pauses at random, checks the order of the items
/// on each channel, and updates the ledger.
class member {
 public:
  member(ledger& book, unsigned seed, misbehaviour told) : book_(&book), disturb_(seed), told_(told) {}
  void start() {
    ++book_->starts;
    seen_ = 0;
    stamp_ = 0;
    last_.clear();
    if (told_.fails == misbehaviour::where::start) fail();
  }

 protected:
  void arrived(const parcel& item, weir::context& where) {
    last_.resize(where.channels(), -1);
    if (std::exchange(last_[where.channel()], item.stamp()) >= item.stamp()) ++book_->disorders;
    one_more();
  }
  void one_more() {
    disturb_.pause();
    ++seen_;
    if (told_.fails == misbehaviour::where::process && seen_ == told_.after) fail();
    if (seen_ == told_.ends_at) throw weir::stopped{};
  }
  void finished() {
    ++book_->finishes;
    disturb_.pause();
    if (told_.fails == misbehaviour::where::finish) fail();
  }
  [[noreturn]] void fail() {
    ++book_->thrown;
    throw node_failure("told to");
  }
  parcel stamped(long value) { return {*book_, value, stamp_++}; }

  ledger* book_;
  disturbance disturb_;
  misbehaviour told_;
  long seen_ = 0;
  long stamp_ = 0;
  std::vector<long> last_;  // stamp of the last item of each channel
};

class pulled_source : public member {
 public:
  pulled_source(ledger& book, unsigned seed, misbehaviour told, long count, std::size_t copies)
      : member(book, seed, told), count_(count), copies_(static_cast<long>(copies)) {}
  std::optional<parcel> next() {
    if (seen_ == count_ && !told_.endless) return std::nullopt;
    one_more();
    book_->made += seen_ * copies_;
    return stamped(seen_);
  }
  void finish() { finished(); }

 private:
  long count_;
  long copies_;
};

class looping_source : public member {
 public:
  looping_source(ledger& book, unsigned seed, misbehaviour told, long count, std::size_t copies)
      : member(book, seed, told), count_(count), copies_(static_cast<long>(copies)) {}
  void run(weir::outlet<parcel>& out) {
    while (seen_ != count_ || told_.endless) {
      one_more();
      out.send(stamped(seen_));
      book_->made += seen_ * copies_;
    }
  }
  void finish() { finished(); }

 private:
  long count_;
  long copies_;
};

/// Takes one item and sends at most one.
class mapper : public member {
 public:
  mapper(ledger& book, unsigned seed, misbehaviour told, std::size_t copies)
      : member(book, seed, told), copies_(static_cast<long>(copies)) {}
  std::optional<parcel> process(parcel item, weir::context& where) {
    arrived(item, where);
    book_->used += item.value();
    if (disturb_.one_in(20)) return std::nullopt;
    book_->made += item.value() * copies_;
    return stamped(item.value());
  }
  void finish() { finished(); }

 private:
  long copies_;
};

/// Takes one item and sends some, now and then far more than the channels hold, by all ways to
/// send.
class spreader : public member {
 public:
  spreader(ledger& book, unsigned seed, misbehaviour told, std::size_t copies)
      : member(book, seed, told), copies_(static_cast<long>(copies)) {}
  void process(parcel item, weir::outlet<parcel>& out, weir::context& where) {
    arrived(item, where);
    book_->used += item.value();
    unsigned left = disturb_.one_in(40) ? disturb_.below(30) : 1;
    if (seen_ == 300 && disturb_.one_in(4)) left = 5000;
    for (; left != 0; --left) send(out, item.value());
  }
  void finish(weir::outlet<parcel>& out) {
    finished();
    for (unsigned left = disturb_.below(20); left != 0; --left) send(out, 1);
  }

 private:
  void send(weir::outlet<parcel>& out, long value) {
    switch (disturb_.below(8)) {
      case 0:
        out.send_to(disturb_.below(static_cast<unsigned>(out.width())), stamped(value));
        book_->made += value;
        return;
      case 1:
        if (auto back = out.try_send(stamped(value))) {
          disturb_.pause();
          out.send(std::move(back->item));
        }
        break;
      default: out.send(stamped(value));
    }
    book_->made += value * copies_;
  }

  long copies_;
};

class last_user : public member {
 public:
  using member::member;
  void process(const parcel& item, weir::context& where) {
    arrived(item, where);
    book_->used += item.value();
  }
  void finish() { finished(); }
};

/// Options of `random_graph`.
struct random_graph_options {
  long items = 400;        ///< number of items of each source
  bool endless = false;    ///< sources go on until the run is drained or cancelled
  bool some_fail = false;  ///< some nodes throw, at random places
  bool some_end = false;   ///< some nodes end early
};

/// Makes a graph without cycles. Its nodes, the distribution rules of its channels and their mostly
/// tiny capacities are chosen at random.
inline weir::graph random_graph(ledger& book, unsigned seed, random_graph_options options) {
  disturbance choose(seed);
  struct planned {
    unsigned layer;
    std::vector<std::size_t> to;  // one entry for each channel
    weir::policy rule;
  };
  std::vector<planned> plan;
  const unsigned layers = 2 + choose.below(4);
  for (unsigned layer = 0; layer != layers; ++layer) {
    for (unsigned left = 1 + choose.below(layer == 0 ? 2 : 3); left != 0; --left) plan.push_back({layer, {}, {}});
  }
  const auto random_rule = [&](bool broadcast_too) {
    weir::policy rule;
    const auto by_stamp = [](const void* item, std::size_t width) {
      return static_cast<std::size_t>(static_cast<const parcel*>(item)->stamp() / 3) % width;
    };
    const auto by_value = [](const void* item, std::size_t width) {
      return static_cast<std::size_t>(static_cast<const parcel*>(item)->value()) % width;
    };
    switch (choose.below(broadcast_too ? 8 : 7)) {
      case 0: rule.kind = weir::distribution::round_robin; break;
      case 1: rule = {weir::distribution::on_demand, 1 + choose.below(3), {}}; break;
      case 2: rule = {weir::distribution::by_key, 1, by_value}; break;
      case 3: rule = {weir::distribution::custom, 1, by_stamp}; break;
      case 7: rule.kind = weir::distribution::broadcast; break;
      default: break;
    }
    return rule;
  };
  bool broadcasts = false;  // at most one node of a graph, or there would be too many items
  // Each node outside the last layer sends to some nodes of later layers; each node outside the
  // first layer has a producer.
  std::set<std::size_t> reached;
  const auto behind = [&](unsigned layer) {
    std::size_t at = 0;
    while (plan[at].layer <= layer) ++at;
    return at;
  };
  for (planned& node : plan) {
    if (node.layer + 1 == layers) break;
    const std::size_t first = behind(node.layer);
    for (unsigned left = 1 + choose.below(4); left != 0; --left) {
      node.to.push_back(first + choose.below(static_cast<unsigned>(plan.size() - first)));
      reached.insert(node.to.back());
    }
    node.rule = random_rule(!broadcasts);
    broadcasts = broadcasts || node.rule.kind == weir::distribution::broadcast;
  }
  for (std::size_t i = 0; i != plan.size(); ++i) {
    if (plan[i].layer == 0 || reached.contains(i)) continue;
    plan[choose.below(static_cast<unsigned>(behind(plan[i].layer - 1)))].to.push_back(i);
  }

  weir::graph g;
  const auto& type = weir::item_type_of<parcel>();
  for (const planned& node : plan) {
    misbehaviour told{.endless = options.endless};
    if (options.some_fail && choose.one_in(4)) {
      told.fails = std::array{misbehaviour::where::start, misbehaviour::where::process, misbehaviour::where::process,
                              misbehaviour::where::finish}[choose.below(4)];
      told.after = 1 + choose.below(static_cast<unsigned>(options.items));
    }
    if (options.some_end && choose.one_in(3)) told.ends_at = 1 + choose.below(static_cast<unsigned>(options.items));
    const std::size_t copies = node.rule.kind == weir::distribution::broadcast ? node.to.size() : 1;
    const unsigned own_seed = choose.below(1'000'000'000);
    weir::node_description made;
    if (node.layer != 0) made.in.push_back({&type, {}});
    if (!node.to.empty()) made.out.push_back({&type, {}});
    made.traits.blocking = choose.one_in(8);
    if (node.layer == 0 && choose.one_in(2)) {
      made.kind = "looping_source";
      made.traits.on_own_thread = true;
      made.make = weir::source(looping_source(book, own_seed, told, options.items, copies)).shape()->make;
    } else if (node.layer == 0) {
      made.kind = "pulled_source";
      made.make = weir::source(pulled_source(book, own_seed, told, options.items, copies)).shape()->make;
    } else if (node.to.empty()) {
      made.kind = "last_user";
      made.make = weir::sink(last_user(book, own_seed, told)).shape()->make;
    } else if (choose.one_in(2)) {
      made.kind = "mapper";
      made.make = weir::node(mapper(book, own_seed, told, copies)).shape()->make;
    } else {
      made.kind = "spreader";
      made.make = weir::node(spreader(book, own_seed, told, copies)).shape()->make;
    }
    if (choose.one_in(8)) made.traits.on_own_thread = true;
    g.add(std::move(made));
  }
  for (weir::node_id from = 0; from != plan.size(); ++from) {
    for (const std::size_t to : plan[from].to) {
      const auto consumer = static_cast<weir::node_id>(to);
      const unsigned capacity = std::array{1U, 1U, 2U, 3U, 7U, 64U, 0U}[choose.below(7)];
      if (choose.one_in(6)) {
        g.connect_unbounded(from, 0, consumer, 0);
      } else {
        g.connect(from, 0, consumer, 0, capacity);
      }
    }
    if (plan[from].to.empty()) continue;
    g.set_policy(from, 0, plan[from].rule);
    // Sometimes makes a policy tree of two levels.
    auto& children = g.nodes()[from].out[0].policy.children;
    if (children.size() > 2 && plan[from].rule.kind != weir::distribution::broadcast && choose.one_in(2)) {
      weir::policy_tree inner;
      inner.rule = random_rule(false);
      inner.children.assign(children.begin(), children.begin() + 2);
      children.erase(children.begin());
      children.front() = std::move(inner);
    }
  }
  return g;
}

}  // namespace weir_test
