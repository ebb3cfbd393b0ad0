// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: all as promised

// The policies by which a block distributes its items among the workers of the next block, and the
// promise of each policy.

#include <weir/weir.hpp>

#include <cstddef>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace {

using seen_by = std::pair<long, std::size_t>;  // an item, and the worker that took it

// Runs 0 … 99 through four workers and returns which worker took which item.
std::multimap<long, std::size_t> deal(
    const std::function<weir::side_by_side<long, seen_by>(weir::side_by_side<long, seen_by>)>& policy) {
  std::multimap<long, std::size_t> dealt;
  const auto worker = weir::farm([](long item, weir::context& where) { return seen_by{item, where.index()}; }, 4);
  weir::run(weir::source([next = 0L]() mutable -> std::optional<long> {
              if (next == 100) return std::nullopt;
              return next++;
            }) |
            policy(worker) | weir::sink([&](seen_by item) { dealt.insert(item); }));
  return dealt;
}

bool check(bool promise, const char* what) {
  if (!promise) std::cout << "not as promised: " << what << '\n';
  return promise;
}

}  // namespace

int main() {
  bool good = true;
  auto dealt = deal([](auto farm) { return farm; });
  good &= check(dealt.size() == 100, "by default each item goes to one worker that has room");

  dealt = deal([](auto farm) { return farm.round_robin(); });
  for (const auto& [item, worker] : dealt) {
    good &= check(worker == static_cast<std::size_t>(item % 4), "round_robin: one after the other");
  }
  dealt = deal([](auto farm) { return farm.broadcast(); });
  good &= check(dealt.size() == 400, "broadcast: a copy to each");

  dealt = deal([](auto farm) { return farm.by_key([](const long& item) { return item % 7; }); });
  std::map<long, std::set<std::size_t>> at;
  for (const auto& [item, worker] : dealt) at[item % 7].insert(worker);
  for (const auto& [key, workers] : at) good &= check(workers.size() == 1, "by_key: equal keys to one worker");

  dealt = deal([](auto farm) {
    return farm.distribute([](const long& item, std::size_t width) { return item < 50 ? 0 : width - 1; });
  });
  for (const auto& [item, worker] : dealt) {
    good &= check(worker == (item < 50 ? 0U : 3U), "distribute: where the function says");
  }
  if (!good) return 1;
  std::cout << "all as promised\n";
  if (std::cout.flush()) return 0;
  std::cerr << "04_policies: can't write standard output\n";
  return 1;
}
