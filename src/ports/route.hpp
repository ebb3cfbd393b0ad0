// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/ports/out_port.hpp"
#include "weir/graph/policy.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace weir::detail {

class leaf;

/// The routes of an out-port form a tree as its policy does: an inner node is a rule with its state
/// for this producer, a leaf is a channel. Only the runner of the port's activation may use them.
///
/// For an item without a slot yet, the port calls `try_put`. If it refuses, the item goes to the
/// spill. The port calls `ready` and `put` for the first spilled item again and again, and `ask`
/// before it waits. A null `item` stands for a punctuation, `out_port::unseen` for an item that
/// nobody may look at.
class route {
 public:
  using place = item_sender::place;

  /// @param far whether all consumers are in other groups
  route(out_port& port, bool far) noexcept : port_(port), far_(far) {}
  route(const route&) = delete;
  route& operator=(const route&) = delete;
  virtual ~route() = default;

  /// Decides where `item` goes. Returns whether each channel that it goes to has a slot for it.
  /// @throws exceptions of the author's function
  virtual bool ready(const void* item) = 0;

  /// Returns the slot for `item`, after `ready(item)` has returned true: the slot in the last
  /// channel, if others get copies. Carries out the decision, so that the next item is the next.
  virtual place put(const void* item) = 0;

  /// Same as both in one, for the next item of the node's code, while nothing is spilled. May lend
  /// slots to that code. Returns no slot if there is none now.
  virtual place try_put(const void* item) { return ready(item) ? put(item) : place{nullptr, nullptr}; }

  /// Same as `try_put` for an item that moves from `item` to the slot, and counts it there.
  /// @return whether there was a slot
  virtual bool try_send(void* item);

  /// Asks for room in all channels where room would let `item` go on. `ready(item)` has just
  /// returned false.
  /// @return whether `item` can go on already
  virtual bool ask(const void* item) = 0;

  /// Asks to be notified of the next completion in any of the channels.
  virtual void ask_for_completion() = 0;

  /// Returns whether no consumer is left that could ever take the current item.
  virtual bool all_gone() const noexcept = 0;

  /// Forgets the decisions for the current item, which is not sent.
  virtual void forget() noexcept = 0;

  /// Returns whether an author's function decides, here or below.
  virtual bool chooses() const noexcept { return false; }

  /// Returns the number of items assigned and not completed. Items left by a consumer that has
  /// ended are discarded, so they do not count.
  virtual std::uint64_t outstanding() const noexcept = 0;

  /// Returns the route as a leaf, or null.
  virtual leaf* as_leaf() noexcept { return nullptr; }

  bool is_far() const noexcept { return far_; }

 protected:
  out_port& port_;

 private:
  const bool far_;
};

using routes = std::vector<std::unique_ptr<route>>;

/// An inner node. Derived classes are the rules.
class branch : public route {
 public:
  branch(out_port& port, routes children);

  void ask_for_completion() override;
  bool all_gone() const noexcept override;
  void forget() noexcept override;
  bool chooses() const noexcept override { return chooses_below_; }
  std::uint64_t outstanding() const noexcept override;

  std::vector<route*> children() const;

 protected:
  std::size_t width() const noexcept { return children_.size(); }
  route& child(std::size_t i) const noexcept { return *children_[i]; }

  /// Returns the children as leaves, or nothing if one of them is none.
  std::vector<leaf*> leaves() const;

 private:
  const routes children_;
  const bool chooses_below_;
};

/// The place of a route in the tree.
struct route_setting {
  bool outermost = true;         ///< no rule above has a choice
  bool in_runs = true;           ///< no rule above is asked while the channel has granted slots
  const policy* rule = nullptr;  ///< the rule that assigns items to a leaf here
  std::size_t siblings = 1;      ///< number of routes among which that rule chooses
};

/// A policy, as a port uses it. There is one constant for each `distribution`.
struct policy_route {
  std::unique_ptr<route> (*make)(out_port& port, const policy& rule, routes children, const route_setting& here);
  /// Prepares a leaf to which the rule assigns items; null if it does nothing.
  void (*prepare)(leaf& to, const policy& rule, std::size_t siblings);
  bool in_runs;  ///< items may follow each other to a child without asking the rule
};
extern const policy_route balance_route;
extern const policy_route on_demand_route;
extern const policy_route round_robin_route;
extern const policy_route choice_route;
extern const policy_route broadcast_route;

/// The routes of a port.
struct route_tree {
  std::unique_ptr<route> root;
  std::vector<leaf*> leaves;
  std::vector<std::unique_ptr<leaf>> doors;  ///< leaves that address a consumer behind a relay
  std::vector<route*> consumers;             ///< by their numbers under the outermost rule
};
route_tree make_routes(out_port& port, const policy_tree& tree,
                       const std::function<out_port::target(channel_id)>& lookup);

}  // namespace weir::detail
