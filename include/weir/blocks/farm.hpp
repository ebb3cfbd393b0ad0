// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/node.hpp"
#include "weir/blocks/source.hpp"
#include "weir/detail/item/hashable.hpp"
#include "weir/export.hpp"
#include "weir/graph/distribution.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace weir {
namespace detail {

// Spreads any hash over [0, width), including the identity that `std::hash` is for integers.
constexpr std::size_t spread(std::size_t hash, std::size_t width) noexcept {
  const std::uint64_t mixed =
      (static_cast<std::uint64_t>(hash) ^ (static_cast<std::uint64_t>(hash) >> 32)) * 0x9E3779B97F4A7C15ULL;
  return static_cast<std::size_t>(((mixed >> 32) * width) >> 32);
}

// Implementations of the methods of `side_by_side`, compiled once. See the methods for their
// contracts. A function here that takes an author's function owns that function, also if it throws.
using choosing = std::size_t (*)(void* choose, const void* item, std::size_t width);
using chooser_functions = erased_function<choosing>;
using naming = std::string (*)(void* name_of, std::size_t number);
using group_functions = erased_function<naming>;
WEIR_API shape_pointer shared_out(const shape_pointer& what, distribution kind, std::size_t depth = 1);
WEIR_API shape_pointer shared_out(const shape_pointer& what, distribution kind, const chooser_functions& about,
                                  void* choose);
WEIR_API shape_pointer in_groups(const shape_pointer& what, const group_functions& about, void* name_of);
WEIR_API shape_pointer between(const shape_pointer& what, std::size_t least, std::size_t most);
WEIR_API shape_pointer one_to_one(const shape_pointer& what);

/// Makes `plan_groups` distribute the nodes over the groups in proportion to their cores.
WEIR_API shape_pointer spread_over_groups(const shape_pointer& what);

template <class Key, class In>
decltype(auto) key_of(const Key& key, const In& item) {
  if constexpr (std::is_member_object_pointer_v<Key>) {
    return (item.*key);
  } else if constexpr (std::is_member_function_pointer_v<Key>) {
    return (item.*key)();
  } else {
    return key(item);
  }
}

template <class Key, class In>
std::size_t choose_by_key(void* key, const void* item, std::size_t width) {
  decltype(auto) made = key_of(*static_cast<const Key*>(key), *static_cast<const In*>(item));
  using result = std::remove_cvref_t<decltype(made)>;
  if constexpr (std::is_integral_v<result>) {
    return spread(static_cast<std::size_t>(made), width);
  } else {
    return spread(std::hash<result>{}(made), width);
  }
}

template <class Choose, class In>
std::size_t choose_by_function(void* choose, const void* item, std::size_t width) {
  return static_cast<std::size_t>((*static_cast<Choose*>(choose))(*static_cast<const In*>(item), width));
}

template <class NameOf>
std::string name_by_function(void* name_of, std::size_t number) {
  return (*static_cast<const NameOf*>(name_of))(number);
}

}  // namespace detail

/// Several blocks side by side, each of which can be chosen as the consumer of an item. A policy
/// decides which consumer gets an item. One of the methods below sets the policy, and each producer
/// applies it on its own. The default policy balances the load: an item goes to a consumer that has
/// room, cheap items in runs and costly items one by one. A block has one policy. A second policy
/// is a `graph_error`.
template <class In, class Out>
class [[nodiscard]] side_by_side : public block<In, Out> {
 public:
  using block<In, Out>::block;

  side_by_side named(std::string_view name) const { return side_by_side(detail::named(this->shape(), name)); }
  side_by_side in_group(std::string_view group) const { return side_by_side(detail::in_group(this->shape(), group)); }
  /// Puts each of the blocks side by side into the group `name_of(i)`, where `i` is its number,
  /// from 0. Groups that are set on inner blocks take precedence.
  template <class NameOf>
    requires requires(const NameOf& name_of, std::size_t number) { std::string(name_of(number)); }
  side_by_side in_group(NameOf name_of) const {
    return side_by_side(detail::in_groups(this->shape(), detail::erased<NameOf, detail::name_by_function<NameOf>>,
                                          new NameOf(std::move(name_of))));
  }
  side_by_side blocking() const { return side_by_side(detail::blocking(this->shape())); }
  side_by_side on_own_thread() const { return side_by_side(detail::on_own_thread(this->shape())); }
  side_by_side separate() const { return side_by_side(detail::separate(this->shape())); }
  side_by_side capacity(std::size_t items) const
    requires(!std::is_void_v<In>)
  {
    return side_by_side(detail::with_capacity(this->shape(), items));
  }

  side_by_side ordered() const
    requires(!std::is_void_v<In> && !std::is_void_v<Out>)
  {
    return side_by_side(detail::ordered(this->shape()));
  }

  side_by_side in_flight(std::size_t items) const
    requires(!std::is_void_v<In> && !std::is_void_v<Out>)
  {
    return side_by_side(detail::in_flight(this->shape(), items));
  }

  /// Sends the first item to the first consumer, the second item to the second, and so on. Waits
  /// for room at each consumer in its turn.
  side_by_side round_robin() const {
    return side_by_side(detail::shared_out(this->shape(), distribution::round_robin));
  }

  /// Assigns a consumer an item only while fewer than `depth` items from the same producer are
  /// assigned to it and not completed. Use it for costly items whose costs differ much.
  /// @throws graph_error if `depth` is 0 or negative
  side_by_side on_demand(std::size_t depth = 1) const {
    return side_by_side(detail::shared_out(this->shape(), distribution::on_demand, depth));
  }

  /// Sends items with equal keys to the same consumer. `key(item)` returns a hash, or a key that
  /// `std::hash` accepts. A pointer to a member, such as `&entry::word`, is accepted as `key`.
  template <class Key>
    requires(!std::is_void_v<In>)
  side_by_side by_key(Key key) const {
    constexpr bool fits = std::is_invocable_v<const Key&, const In&>;
    static_assert(fits, "weir: by_key needs a function of the item, or a pointer to a member of it");
    if constexpr (fits) {
      if constexpr (detail::hashed_key<std::remove_cvref_t<std::invoke_result_t<const Key&, const In&>>>::fits) {
        return side_by_side(detail::shared_out(this->shape(), distribution::by_key,
                                               detail::erased<Key, detail::choose_by_key<Key, In>>,
                                               new Key(std::move(key))));
      }
    }
    return *this;  // after an error
  }

  /// Sends a copy of each item to every consumer. Using it with a type that can't be copied is a
  /// compile error.
  side_by_side broadcast() const {
    static_assert(detail::all_copyable<detail::streams_in_t<In>>,
                  "weir: broadcast copies its items, and this type can't be copied");
    return side_by_side(detail::shared_out(this->shape(), distribution::broadcast));
  }

  /// Sends each item to the consumer `choose(item, width)`, a number in [0, width). Each producer
  /// has its own copy of `choose`. A number outside this range is a `node_error`.
  template <class Choose>
    requires(!std::is_void_v<In>)
  side_by_side distribute(Choose choose) const {
    constexpr bool fits = requires(Choose& c, const In& item, std::size_t width) {
      { c(item, width) } -> std::convertible_to<std::size_t>;
    };
    static_assert(fits, "weir: distribute needs a function (item, width) -> index");
    if constexpr (fits) {
      return side_by_side(detail::shared_out(this->shape(), distribution::custom,
                                             detail::erased<Choose, detail::choose_by_function<Choose, In>>,
                                             new Choose(std::move(choose))));
    }
    return *this;  // after an error
  }

  /// Allows the width of a farm to be tuned to between `least` and `most` workers (see `weir
  /// tune`). By default, a farm without a given width may be tuned from 1 to the number of cores,
  /// and a farm with a given width keeps it.
  /// @throws graph_error if the block is not a farm, or if no width lies between the two limits
  side_by_side between(std::size_t least, std::size_t most) const {
    return side_by_side(detail::between(this->shape(), least, most));
  }

  /// Joins the block worker to worker with the preceding block, which must have the same width
  /// (else `graph_error`). Without this method every preceding worker can reach every worker of
  /// this block, also if the widths are equal. (F2 §3.1, the third rule.)
  side_by_side one_to_one() const { return side_by_side(detail::one_to_one(this->shape())); }
};

namespace detail {

WEIR_API shape_pointer replicated(const shape_pointer& worker, std::size_t width);

/// @throws graph_error if `width` is 0
WEIR_API std::size_t checked_width(std::size_t width);

/// How blocks are placed side by side in a set.
struct beside_how {
  bool own_streams_in = false;
  bool own_streams_out = false;
  bool broadcast = false;
};
/// @throws graph_error if `count` is 0
WEIR_API shape_pointer beside(const char* kind, const shape_pointer* parts, std::size_t count, beside_how how);

template <class In, class Out>
[[gnu::always_inline]] inline side_by_side<In, Out> replicate(const block<In, Out>& worker, std::size_t width) {
  return side_by_side<In, Out>(replicated(worker.shape(), width));
}
inline no_block replicate(no_block none, std::size_t) { return none; }

// A factory: a callable without parameters whose result is a node or a block, not an item.
template <class F>
concept factory = !some_block<F> && !has_next<F> && !process_class<F> && requires(F& f) { f(); } && [] {
  using made = decltype(some_item<F&>()());
  return some_block<made> || node_like<made> || (std::is_class_v<made> && (has_process<made> || has_next<made>));
}();

// A prototype that makes the node only in the process where the node runs, when it first runs.
template <class Factory>
struct factory_prototype {
  using type = Factory;
  using node = decltype(some_item<Factory&>()());

  static constexpr bool only_once = false;

  static void make(void* memory, void* prototype) { ::new (memory) node((*static_cast<Factory*>(prototype))()); }
};

template <class Factory>
auto factory_block(Factory make) {
  using F = decltype(make());
  using deduced = deduced_node<F>;
  using table = functions_of_node<factory_prototype<Factory>, streams_in_t<typename deduced::in>,
                                  streams_in_t<typename deduced::out>>;
  return block<typename deduced::in, typename deduced::out>(
      node_shape("node", table::functions, new Factory(std::move(make))));
}

// Takes ownership of `worker`. Its type may be one that can't be moved: that is a compile error
// here.
template <class Given>
[[gnu::always_inline]] inline auto farm_of(Given&& worker, std::size_t width) {
  using Worker = std::remove_reference_t<Given>;
  if constexpr (some_block<Worker>) {
    return replicate(worker, width);
  } else if constexpr (factory<Worker>) {
    if constexpr (some_block<decltype(worker())>) {
      return replicate(worker(), width);
    } else {
      return replicate(factory_block(std::move(worker)), width);
    }
  } else {
    static_assert(std::is_copy_constructible_v<Worker>,
                  "weir: farm copies its worker, and this one can't be copied: give it a factory, "
                  "weir::farm([] { return worker{…}; }, n)");
    if constexpr (std::is_copy_constructible_v<Worker>)
      return replicate(node(std::move(worker)), width);
    else
      return no_block{};
  }
}

}  // namespace detail

/// A farm: `width` workers side by side, each a copy of `worker`. `worker` is a node, a block, or a
/// factory `() -> node`. A factory of nodes is called once for each worker, only in the process
/// where that worker runs and when the worker first runs. (F1 §2; F2 §3.1) A factory may also
/// return a block. It is then called once, when `farm` is called, and the nodes of its block are
/// copied.
/// @throws graph_error if `width` is 0 or more than 65536
template <class Worker>
[[gnu::always_inline]] inline auto farm(Worker worker, std::size_t width) {
  return detail::farm_of(worker, detail::checked_width(width));
}

/// A farm with one worker for each core of the machine on which the network runs.
template <class Worker>
auto farm(Worker worker) {
  return detail::farm_of(worker, 0);
}

/// Different blocks of the same type side by side.
/// @throws graph_error if `members` is empty
template <class In, class Out>
side_by_side<In, Out> set(const std::vector<block<In, Out>>& members) {
  std::vector<detail::shape_pointer> parts;
  for (const block<In, Out>& member : members) parts.push_back(member.shape());
  return side_by_side<In, Out>(detail::beside("set", parts.data(), parts.size(), {}));
}

/// Same as above, for blocks given as arguments: `set(a, b, c)`.
template <some_block First, some_block... Rest>
auto set(const First& first, const Rest&... rest) {
  using common = side_by_side<typename First::in_type, typename First::out_type>;
  static_assert(((std::is_same_v<typename Rest::in_type, typename First::in_type> &&
                  std::is_same_v<typename Rest::out_type, typename First::out_type>)&&...),
                "weir: the blocks of a set take and send the same types");
  const detail::shape_pointer parts[] = {first.shape(), rest.shape()...};
  return common(detail::beside("set", parts, 1 + sizeof...(Rest), {}));
}

/// Joins every block of the left set to every block of the right set (F2 §3.1). Two farms in
/// sequence are joined in this way already; this function is for sets of different nodes. The
/// policy of the right set decides how the left set distributes its items.
template <class In, class Sends, class Receives, class Out>
block<In, Out> all_to_all(const side_by_side<In, Sends>& left, const side_by_side<Receives, Out>& right) {
  return left | right;
}

template <class In, class Mid, class Out>
block<In, Out> all_to_all(const std::vector<block<In, Mid>>& left, const std::vector<block<Mid, Out>>& right) {
  return set(left) | set(right);
}

}  // namespace weir
