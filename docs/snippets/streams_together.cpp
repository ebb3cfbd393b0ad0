// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: tee 23, merge 15, zip 1a 2b 3c, shared 10, ledger 2 paid, one split ends: 2

#include <weir/weir.hpp>

#include <cstddef>
#include <iostream>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

template <class T>
auto values(std::vector<T> all) {
  return weir::source([all = std::move(all), at = std::size_t{0}]() mutable -> std::optional<T> {
    if (at == all.size()) return std::nullopt;
    return all[at++];
  });
}

struct order {
  int id;
  int amount;
};
struct payment {
  int order;
  int amount;
};

// A node that takes two streams, each by an overload.
struct ledger {
  std::unordered_map<int, int> open{};

  void process(order o, weir::outlet<int>& paid) { settle(o.id, o.amount, paid); }
  void process(payment p, weir::outlet<int>& paid) { settle(p.order, -p.amount, paid); }

 private:
  void settle(int id, int amount, weir::outlet<int>& paid) {
    if ((open[id] += amount) == 0) paid.send(id);
  }
};

}  // namespace

int main() {
  const auto numbers = values<int>({1, 2, 3, 4});

  // Copies every item to each block; their results form one stream.
  int all = 0;
  auto twice = weir::node([](int n) { return 2 * n; });
  auto half = weir::node([](int n) -> std::optional<int> {
    if (n % 2 != 0) return std::nullopt;
    return n / 2;
  });
  weir::run(numbers | weir::tee(twice, half) | weir::sink([&](int n) { all += n; }));
  std::cout << "tee " << all;

  // The items of several sources, as one stream.
  int merged = 0;
  weir::run(weir::merge(numbers, values<int>({5})) | weir::sink([&](int n) { merged += n; }));
  std::cout << ", merge " << merged;

  // The first item with the first, the second with the second.
  std::cout << ", zip";
  auto letters = values<std::string>({"a", "b", "c"});
  weir::run(weir::zip(numbers, letters) | weir::sink([](std::tuple<int, std::string> both) {
              std::cout << ' ' << std::get<0>(both) << std::get<1>(both);
            }));

  // Streams of one type join at a block that takes one stream of that type.
  int shared = 0;
  auto odd_or_even =
      weir::node([](int n, weir::outlet<int>& even, weir::outlet<int>& odd) { (n % 2 == 0 ? even : odd).send(n); });
  weir::run(numbers | odd_or_even | weir::farm([](int n) { return n; }, 2) | weir::sink([&](int n) { shared += n; }));
  std::cout << ", shared " << shared;

  // Two sources of different types into one node.
  int paid = 0;
  auto orders = values<order>({{1, 70}, {2, 30}, {3, 99}});
  auto payments = values<payment>({{2, 30}, {1, 50}, {1, 20}});
  weir::run(weir::split(orders, payments) | weir::node<weir::streams<order, payment>, int>(ledger{}) |
            weir::sink([&](int) { ++paid; }));
  std::cout << ", ledger " << paid << " paid";

  // A block that sends nothing ends its stream; the other stream goes on.
  int evens = 0;
  auto drop = weir::sink([](int) {});
  auto same = weir::node([](int n) { return n; });
  weir::run(numbers | odd_or_even | weir::split(same, drop) | weir::sink([&](int) { ++evens; }));
  std::cout << ", one split ends: " << evens << '\n';
}
