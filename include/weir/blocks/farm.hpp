// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/node.hpp"
#include "weir/blocks/source.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {
namespace detail {

// Spreads any hash, also the identity that std::hash is for integers, over [0, width).
inline std::size_t spread(std::size_t hash, std::size_t width) noexcept {
  const std::uint64_t mixed =
      (static_cast<std::uint64_t>(hash) ^ (static_cast<std::uint64_t>(hash) >> 32)) * 0x9E3779B97F4A7C15ULL;
  return static_cast<std::size_t>(((mixed >> 32) * width) >> 32);
}

}  // namespace detail

/// A block of nodes side by side, so that its producers have a choice to make: how is a policy, given by one of the methods
/// below and kept by each producer for itself. Without one the load is balanced: an item goes to a consumer that has room,
/// cheap items in runs, dear ones singly. A block has one policy; a second is a `graph_error`.
template <class In, class Out>
class side_by_side : public block<In, Out> {
 public:
  using block<In, Out>::block;

  side_by_side named(std::string name) const { return changed(block<In, Out>::named(std::move(name))); }
  side_by_side in_group(std::string group) const { return changed(block<In, Out>::in_group(std::move(group))); }
  /// Puts each of those side by side into the group that `name_of(its number)` names, from 0. Groups that are named inside it count more.
  template <class NameOf>
    requires std::is_invocable_r_v<std::string, const NameOf&, std::size_t>
  side_by_side in_group(NameOf name_of) const {
    return side_by_side(detail::with(this->shape(), [&](detail::shape& s) { s.group_of = std::move(name_of); }));
  }
  side_by_side blocking() const { return changed(block<In, Out>::blocking()); }
  side_by_side on_own_thread() const { return changed(block<In, Out>::on_own_thread()); }
  side_by_side separate() const { return changed(block<In, Out>::separate()); }
  side_by_side capacity(std::size_t items) const
    requires(!std::is_void_v<In>)
  {
    return changed(block<In, Out>::capacity(items));
  }

  side_by_side ordered() const
    requires(!std::is_void_v<In> && !std::is_void_v<Out>)
  {
    return changed(block<In, Out>::ordered());
  }

  /// The first item to the first, the second to the second, and so on; waits for each in its turn.
  side_by_side round_robin() const { return shared_out({distribution::round_robin, 1, {}}); }

  /// At most `depth` items are assigned to a consumer and not completed by it, for each producer. For dear items of very
  /// different cost. @throws graph_error if `depth` is 0
  side_by_side on_demand(std::size_t depth = 1) const {
    if (depth == 0) throw graph_error(this->shape()->label(), "on_demand(0) would assign nothing; use at least 1");
    return shared_out({distribution::on_demand, depth, {}});
  }

  /// Equal keys to the same consumer. `key(item)` is a hash, or a key that `std::hash` takes (`&entry::word` will do).
  template <class Key>
    requires(!std::is_void_v<In>)
  side_by_side by_key(Key key) const {
    static_assert(std::is_invocable_v<const Key&, const In&>, "weir: by_key needs a function of the item");
    return shared_out({distribution::by_key, 1, [key = std::move(key)](const void* item, std::size_t width) {
                         using result = std::remove_cvref_t<std::invoke_result_t<const Key&, const In&>>;
                         decltype(auto) made = std::invoke(key, *static_cast<const In*>(item));
                         if constexpr (std::is_integral_v<result>) {
                           return detail::spread(static_cast<std::size_t>(made), width);
                         } else {
                           return detail::spread(std::hash<result>{}(made), width);
                         }
                       }});
  }

  /// A copy of each item to every consumer. A type that can't be copied is a compile error.
  side_by_side broadcast() const {
    static_assert(detail::all_copyable<detail::streams_in_t<In>>,
                  "weir: broadcast copies its items, and this type can't be copied");
    return shared_out({distribution::broadcast, 1, {}});
  }

  /// Where `choose(item, width)` says, in [0, width); each producer has a copy of it. Anything else is a node_error.
  template <class Choose>
    requires(!std::is_void_v<In>)
  side_by_side distribute(Choose choose) const {
    static_assert(std::is_invocable_r_v<std::size_t, Choose&, const In&, std::size_t>,
                  "weir: distribute needs a function (item, width) -> index");
    return shared_out(
        {distribution::custom, 1, [choose = std::move(choose)](const void* item, std::size_t width) mutable {
           return static_cast<std::size_t>(choose(*static_cast<const In*>(item), width));
         }});
  }

  /// A farm whose width may be tuned, to at least `least` and at most `most` workers (see `weir tune`). A farm without a width may
  /// be tuned from 1 to the number of cores; others have the width that they were given.
  /// @throws graph_error if it is no farm, or there is no width between
  side_by_side between(std::size_t least, std::size_t most) const {
    if (this->shape()->what != detail::shape::form::farm) {
      throw graph_error(this->shape()->label(), "is no farm, so it has no width to be tuned");
    }
    if (least == 0 || least > most) {
      throw graph_error(this->shape()->label(), "has no width between " + std::to_string(least) + " and " +
                                                    std::to_string(most) + "; give the least first, at least 1");
    }
    return side_by_side(detail::with(this->shape(), [&](detail::shape& s) {
      s.width_least = least;
      s.width_most = most;
    }));
  }

  /// Joins it worker to worker with the block before, which must be as wide (else `graph_error`). Without this, every
  /// worker before can reach every worker here, also when the widths are equal. (F2 §3.1, the third rule.)
  side_by_side one_to_one() const {
    return side_by_side(detail::with(this->shape(), [](detail::shape& s) { s.one_to_one = true; }));
  }

 private:
  static side_by_side changed(const block<In, Out>& plain) { return side_by_side(plain.shape()); }

  side_by_side shared_out(policy rule) const {
    if (this->shape()->input) {
      throw graph_error(this->shape()->label(), "has two policies, " +
                                                    std::string(name_of(this->shape()->input->kind)) + " and " +
                                                    std::string(name_of(rule.kind)) + "; keep one");
    }
    return side_by_side(detail::with(this->shape(), [&](detail::shape& s) { s.input = std::move(rule); }));
  }
};

namespace detail {

template <class In, class Out>
side_by_side<In, Out> replicate(const block<In, Out>& worker, std::size_t width) {
  shape made;
  made.what = shape::form::farm;
  made.kind = "farm";
  made.width = width;
  made.children = {worker.shape()};
  return side_by_side<In, Out>(std::make_shared<const shape>(std::move(made)));
}

// A nullary callable whose result is a node or a block, not an item: a factory.
template <class F>
concept factory = !some_block<F> && std::is_invocable_v<F&> && !has_next<F> && !process_class<F> && [] {
  using made = std::invoke_result_t<F&>;
  return some_block<made> || node_like<made> || (std::is_class_v<made> && (has_process<made> || has_next<made>));
}();

// Makes the node only where and when it is going to run.
template <class Stage, class Factory>
auto factory_block(Factory make) {
  using made = typename Stage::made;
  auto shared = std::make_shared<Factory>(std::move(make));
  return node_block<typename Stage::leaf::in, typename Stage::leaf::out>(
      "node",
      [shared]() -> std::unique_ptr<behaviour> {
        return std::make_unique<stage_behaviour<typename Stage::leaf>>(typename Stage::leaf(made((*shared)())));
      },
      true, Stage::leaf::exactly_one, true);
}

template <class Node>
struct made_stage {
  using made = Node;
  using leaf = leaf_of<Node>;
};

inline std::size_t checked_width(std::size_t width) {
  if (width == 0) throw graph_error("farm", "has no workers; give it a width of at least 1, or none for one a core");
  return width;
}

template <class Worker>
auto farm_of(Worker worker, std::size_t width) {
  if constexpr (some_block<Worker>) {
    return replicate(worker, width);
  } else if constexpr (factory<Worker>) {
    using made = std::invoke_result_t<Worker&>;
    if constexpr (some_block<made>) {
      return replicate(worker(), width);
    } else {
      return replicate(factory_block<made_stage<made>>(std::move(worker)), width);
    }
  } else {
    static_assert(std::is_copy_constructible_v<Worker>,
                  "weir: farm copies its worker, and this one can't be copied: give it a factory, "
                  "weir::farm([] { return worker{…}; }, n)");
    return replicate(node(std::move(worker)), width);
  }
}

}  // namespace detail

/// `width` workers side by side, each a copy of `worker`: a node, a block, or a factory `() -> node`, which then runs once for
/// each worker, only where that worker runs and when it first does. (F1 §2; F2 §3.1)
/// A factory may also return a block; that one is called once, when the farm is written, and its nodes are copied.
/// @throws graph_error if `width` is 0
template <class Worker>
auto farm(Worker worker, std::size_t width) {
  return detail::farm_of(std::move(worker), detail::checked_width(width));
}

/// As many workers as there are cores where the network runs.
template <class Worker>
auto farm(Worker worker) {
  return detail::farm_of(std::move(worker), 0);
}

/// Different blocks of the same type side by side. @throws graph_error if there is none
template <class In, class Out>
side_by_side<In, Out> set(const std::vector<block<In, Out>>& members) {
  if (members.empty()) throw graph_error("set", "is empty; give it at least one block");
  detail::shape made;
  made.what = detail::shape::form::set;
  made.kind = "set";
  for (const block<In, Out>& member : members) made.children.push_back(member.shape());
  return side_by_side<In, Out>(std::make_shared<const detail::shape>(std::move(made)));
}

/// As above: `set(a, b, c)`.
template <some_block First, some_block... Rest>
auto set(const First& first, const Rest&... rest) {
  using common = block<typename First::in_type, typename First::out_type>;
  static_assert((std::is_convertible_v<const Rest&, common> && ...),
                "weir: the blocks of a set take and send the same types");
  return set(std::vector<common>{common(first.shape()), common(rest.shape())...});
}

/// Every block of the left set joined to every block of the right one (F2 §3.1). Farms that follow each other are that
/// already; this is for sets of different nodes. The right set's policy says how the left one shares out.
template <class In, class Sends, class Receives, class Out>
block<In, Out> all_to_all(const side_by_side<In, Sends>& left, const side_by_side<Receives, Out>& right) {
  return left | right;
}

template <class In, class Mid, class Out>
block<In, Out> all_to_all(const std::vector<block<In, Mid>>& left, const std::vector<block<Mid, Out>>& right) {
  return set(left) | set(right);
}

}  // namespace weir
