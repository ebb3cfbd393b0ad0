// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/blocks/farm.hpp"
#include "weir/item/pair.hpp"

#include <concepts>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <type_traits>
#include <unordered_map>
#include <utility>

namespace weir {

/// Options of `map_reduce`.
struct map_reduce_options {
  /// Number of keys at which a mapper sends its combined values; it also sends them at the end of
  /// its stream. A larger number takes more memory and causes less traffic.
  std::size_t max_keys_held = 16'384;
};

namespace detail {

template <class Key, class Value>
class pair_taker {
 public:
  virtual void take(Key&& key, Value&& value) = 0;

 protected:
  ~pair_taker() = default;
};

}  // namespace detail

/// The object through which the mapping function of map_reduce sends its pairs. Valid during that
/// call, and on its thread only.
template <class Key, class Value>
class pair_outlet {
 public:
  explicit pair_outlet(detail::pair_taker<Key, Value>& to) noexcept : to_(&to) {}

  /// Sends a value of this key. @throws the exceptions of `combine`; stopped as outlet::send
  void send(Key key, Value value) { to_->take(std::move(key), std::move(value)); }

 private:
  detail::pair_taker<Key, Value>* to_;
};

namespace detail {

// Keys, and the combination of the values of each key.
template <class Key, class Value, class Combine>
class combined_values {
 public:
  explicit combined_values(Combine combine) : combine_(std::move(combine)) {}

  void clear() { values_.clear(); }
  std::size_t keys() const noexcept { return values_.size(); }
  void add(Key&& key, Value&& value) {
    const auto [at, is_new] = values_.try_emplace(std::move(key), std::move(value));
    if (!is_new) std::invoke(combine_, at->second, std::move(value));
  }
  // Sends all pairs and removes them.
  void send(outlet<std::pair<Key, Value>>& out) {
    while (!values_.empty()) {
      auto first = values_.extract(values_.begin());
      out.send({std::move(first.key()), std::move(first.mapped())});
    }
  }

 private:
  Combine combine_;
  std::unordered_map<Key, Value> values_;
};

// The types in the two parameters of a mapping function.
template <class Arguments>
struct mapping;  // undefined: not (In, pair_outlet<Key, Value>&)
template <class In, class Key, class Value>
struct mapping<type_list<In, pair_outlet<Key, Value>&>> {
  using in = std::remove_cvref_t<In>;
  using key = Key;
  using value = Value;
};
template <class F>
concept maps = deducible<F> && requires { typename mapping<typename node_signature<F>::arguments>::in; };

template <class Map, class Combine, class In, class Key, class Value>
class mapper final : private pair_taker<Key, Value> {
 public:
  mapper(Map map, Combine combine, std::size_t most) : map_(std::move(map)), held_(std::move(combine)), most_(most) {}

  void start() { held_.clear(); }
  void process(In item, outlet<std::pair<Key, Value>>& out) {
    out_ = &out;
    pair_outlet<Key, Value> pairs(*this);
    std::invoke(map_, std::move(item), pairs);
  }
  void finish(outlet<std::pair<Key, Value>>& out) { held_.send(out); }

 private:
  void take(Key&& key, Value&& value) override {
    held_.add(std::move(key), std::move(value));
    if (held_.keys() >= most_) held_.send(*out_);
  }

  Map map_;
  combined_values<Key, Value, Combine> held_;
  std::size_t most_;
  outlet<std::pair<Key, Value>>* out_ = nullptr;  // valid during process
};

template <class Combine, class Key, class Value>
class reducer {
 public:
  explicit reducer(Combine combine) : totals_(std::move(combine)) {}

  void start() { totals_.clear(); }
  void process(std::pair<Key, Value> partial, outlet<std::pair<Key, Value>>&) {
    totals_.add(std::move(partial.first), std::move(partial.second));
  }
  void finish(outlet<std::pair<Key, Value>>& out) { totals_.send(out); }

 private:
  combined_values<Key, Value, Combine> totals_;
};

// Gives every group its share of a farm.
template <class In, class Out>
side_by_side<In, Out> spread(const side_by_side<In, Out>& workers) {
  return side_by_side<In, Out>(spread_over_groups(workers.shape()));
}

template <class Map, class Combine>
auto map_reduce_block(Map map, Combine combine, std::size_t mappers, std::size_t reducers, map_reduce_options options) {
  static_assert(maps<Map>, "weir: the mapping function of map_reduce is (In, weir::pair_outlet<Key, Value>&) -> void");
  if constexpr (maps<Map>) {
    using types = mapping<typename node_signature<Map>::arguments>;
    using key = typename types::key;
    using value = typename types::value;
    static_assert(std::is_invocable_v<Combine&, value&, value>,
                  "weir: the combining function of map_reduce is (Value&, Value) -> void, with the mapper's values");
    if constexpr (table_key<key>::fits) {
      if (options.max_keys_held == 0) {
        throw std::invalid_argument("map_reduce: max_keys_held is 0, which leaves no room; use at least 1");
      }
      mapper<Map, Combine, typename types::in, key, value> map_node(std::move(map), combine, options.max_keys_held);
      reducer<Combine, key, value> reduce_node(std::move(combine));
      return spread(farm_of(node(std::move(map_node)), mappers).named("map")) |
             spread(
                 farm_of(node(std::move(reduce_node)), reducers).by_key(&std::pair<key, value>::first).named("reduce"));
    }
  }
}

}  // namespace detail

/// A keyed map-reduce over a stream, `block<In, std::pair<Key, Value>>`. `map(item, pairs)` sends
/// any number of pairs for each item (`pairs.send(key, value)`, see pair_outlet). `combine(total,
/// value)` adds a value to the total of its key; it must be associative and commutative, since
/// values meet in any order. When the stream has ended, each key is sent once, in no particular
/// order.
///
/// Mappers combine the values of a key before they send them: with few keys there is almost no
/// traffic from mappers to reducers. A key goes to one reducer, which holds it until the end. If a
/// cluster distributes the network, every group gets mappers and reducers in proportion to its
/// cores, and each mapper combines its values of a key before they go to another group; `std::pair`
/// has a codec if both of its parts have one. Keys are compared with == and hashed by `std::hash`.
/// Each node has copies of the functions.
///
/// Cost: for each pair a look-up in a hash table and a combination, in the mapper; the same in a
/// reducer for each key that a mapper sends. Memory: `options.max_keys_held` pairs in each mapper;
/// all keys together in the reducers.
/// @param mappers,reducers number of nodes that map and that reduce
/// @throws graph_error if a width is 0; std::invalid_argument if `max_keys_held` is 0
///
/// Source: J. Dean, S. Ghemawat, MapReduce, OSDI 2004, with its combiner; F2 §2.
template <class Map, class Combine>
auto map_reduce(Map map, Combine combine, std::size_t mappers, std::size_t reducers, map_reduce_options options = {}) {
  return detail::map_reduce_block(std::move(map), std::move(combine), detail::checked_width(mappers),
                                  detail::checked_width(reducers), options);
}

/// As above, with as many mappers and as many reducers as there are cores where the network runs.
template <class Map, class Combine>
auto map_reduce(Map map, Combine combine, map_reduce_options options = {}) {
  return detail::map_reduce_block(std::move(map), std::move(combine), 0, 0, options);
}

}  // namespace weir
