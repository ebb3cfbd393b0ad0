// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/item/hashable.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <unordered_map>
#include <utility>

namespace weir {

/// Result of a window: its bounds [begin, end), as positions in the stream or as times; the number
/// of its items; and the aggregate of its items.
template <class Value, class Bound>
struct window {
  Bound begin;
  Bound end;
  std::uint64_t count;
  Value value;
  friend bool operator==(const window&, const window&) = default;
};

/// Result of a window of one key. Positions count the items of that key.
template <class Key, class Value, class Bound>
struct keyed_window {
  Key key;
  Bound begin;
  Bound end;
  std::uint64_t count;
  Value value;
  friend bool operator==(const keyed_window&, const keyed_window&) = default;
};

namespace detail {

// The key of all items if there are no keys.
struct no_key {};
struct one_key {
  template <class T>
  no_key operator()(const T&) const noexcept {
    return {};
  }
};

template <class KeyOf, class T>
using key_result = std::remove_cvref_t<std::invoke_result_t<const KeyOf&, const T&>>;

template <class Key, class Value, class Bound>
struct window_result {
  using type = keyed_window<Key, Value, Bound>;
  static type make(const Key& key, Bound begin, Bound end, std::uint64_t count, Value&& value) {
    return {key, begin, end, count, std::move(value)};
  }
};
template <class Value, class Bound>
struct window_result<no_key, Value, Bound> {
  using type = window<Value, Bound>;
  static type make(no_key, Bound begin, Bound end, std::uint64_t count, Value&& value) {
    return {begin, end, count, std::move(value)};
  }
};

// Entries that a node keeps, one for each key. An entry keeps its address until it is erased.
template <class Key, class Entry>
class key_table {
 public:
  void clear() { entries_.clear(); }
  // @param make called for the entry of a new key
  template <class Make>
  std::pair<const Key, Entry>& at(const Key& key, Make&& make) {
    const auto found = entries_.find(key);
    return found != entries_.end() ? *found : *entries_.emplace(key, make()).first;
  }
  void erase(const Key& key) { entries_.erase(key); }
  template <class Use>
  void for_each(Use&& use) {
    for (auto& each : entries_) use(each);
  }

 private:
  std::unordered_map<Key, Entry> entries_;
};

template <class Entry>
class key_table<no_key, Entry> {
 public:
  void clear() { entry_.reset(); }
  template <class Make>
  std::pair<const no_key, Entry>& at(no_key, Make&& make) {
    if (!entry_) entry_.emplace(no_key{}, make());
    return *entry_;
  }
  void erase(no_key) { entry_.reset(); }
  template <class Use>
  void for_each(Use&& use) {
    if (entry_) use(*entry_);
  }

 private:
  std::optional<std::pair<const no_key, Entry>> entry_;
};

// State that a node builds up during a run. Copies of the node begin with a fresh one.
template <class T>
struct run_state : T {
  run_state() = default;
  run_state(const run_state&) : T() {}
  run_state& operator=(const run_state&) = delete;
  ~run_state() = default;
};

}  // namespace detail

/// Turns a node of windows into one that keeps separate windows for each key. The key is
/// `key(item)`, or the member to which `key` points. Keys are compared with == and hashed by
/// `std::hash`. The results are `keyed_window`s. In parallel: `farm(keyed(key, …), n).by_key(key)`.
/// @param windows the node that count_window, time_window or session_window returned
template <class KeyOf, class Windows>
auto keyed(KeyOf key, Windows windows) {
  constexpr bool fits = std::is_invocable_v<const KeyOf&, const typename Windows::item&>;
  static_assert(fits, "weir: the key of a window is a function of its items");
  if constexpr (fits) {
    if constexpr (detail::table_key<detail::key_result<KeyOf, typename Windows::item>>::fits) {
      return std::move(windows).keyed(std::move(key));
    }
  }
}

}  // namespace weir
