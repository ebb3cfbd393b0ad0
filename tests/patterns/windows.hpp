// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/patterns/aggregate.hpp"

#include "networks.hpp"

#include <map>
#include <ostream>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace weir_test {

/// The item of the windows in these tests.
struct event {
  std::string key;
  long time = 0;
  long value = 0;
};

/// Aggregates that list the values in the order of the calls, for each of the ways in which windows
/// may be computed.
struct listing_by_adding {
  std::string identity() const { return {}; }
  void add(std::string& to, const event& item) const { to += std::to_string(item.value) + ' '; }
};
struct listing_by_combining : listing_by_adding {
  using item = event;
  void combine(std::string& to, const std::string& later) const { to += later; }
};
struct listing_by_removing : listing_by_adding {
  using item = event;
  void remove(std::string& from, const event& oldest) const {
    EXPECT_TRUE(from.starts_with(std::to_string(oldest.value) + ' '));
    from.erase(0, std::to_string(oldest.value).size() + 1);
  }
};

/// Lists the values in ascending order, for items that arrive in another order than that of their
/// times.
struct sorted_values {
  std::multiset<long> identity() const { return {}; }
  void add(std::multiset<long>& to, const event& item) const { to.insert(item.value); }
  std::string result(const std::multiset<long>& all) const {
    std::string text;
    for (const long each : all) text += std::to_string(each) + ' ';
    return text;
  }
};
struct sorted_by_combining : sorted_values {
  using item = event;
  void combine(std::multiset<long>& to, const std::multiset<long>& later) const {
    to.insert(later.begin(), later.end());
  }
};

/// Makes `count` events of `keys` keys. Their times stray by up to `disorder` from an order that
/// advances by up to `step`.
inline std::vector<event> random_events(std::mt19937& random, std::size_t count, int keys, long step = 5,
                                        long disorder = 0) {
  const auto below = [&](long limit) { return std::uniform_int_distribution<long>(0, limit - 1)(random); };
  std::vector<event> all;
  long now = -50 + below(100);
  for (std::size_t i = 0; i != count; ++i) {
    now += below(step + 1);
    if (below(40) == 0) now += 100;
    const long key = std::min(below(keys), below(keys));
    all.push_back({"key" + std::to_string(key), now - below(disorder + 1), static_cast<long>(i)});
  }
  return all;
}

/// Sink that appends each item to `out`, in order of arrival.
template <class T>
auto keep(std::vector<T>& out) {
  return weir::sink([&out](T item) { out.push_back(std::move(item)); });
}

}  // namespace weir_test
