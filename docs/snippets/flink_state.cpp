// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: ^a: from 10 to 12.b: from 5 to 8.$

// An alert for each price that is at least a tenth above the last one of the same share: state for
// each key. docs/from-flink.md shows the same job for Flink.

#include <weir/io/from.hpp>
#include <weir/weir.hpp>

#include <iostream>
#include <string>
#include <unordered_map>
#include <vector>

struct trade {
  std::string share;
  double price = 0;
};

struct alert {
  std::string share;
  double before = 0;
  double after = 0;
};

// Each worker has the state of the shares that `by_key` gives to it.
struct watch {
  std::unordered_map<std::string, double> last{};

  void process(const trade& t, weir::outlet<alert>& alerts) {
    const auto [place, is_new] = last.try_emplace(t.share, t.price);
    if (is_new) return;
    if (t.price >= 1.1 * place->second) alerts.send({t.share, place->second, t.price});
    place->second = t.price;
  }
};

int main() {
  const std::vector<trade> trades{{"a", 10}, {"b", 5}, {"a", 12}, {"a", 12.5}, {"b", 4.9}, {"b", 5}, {"b", 8}};
  auto print = weir::sink(
      [](const alert& each) { std::cout << each.share << ": from " << each.before << " to " << each.after << '\n'; });
  weir::run(weir::from(trades) | weir::farm(watch{}, 2).by_key(&trade::share).ordered() | print);
}
