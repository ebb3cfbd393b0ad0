// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: round_robin.  0: red red blue.  1: blue green red.on_demand.*by_key.*broadcast.  0: red blue red green blue red.  1: red blue red green blue red.distribute.  0: red blue red.  1: green blue red

#include <weir/weir.hpp>

#include <cstddef>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using seen = std::pair<std::size_t, std::string>;  // a worker, and a word that it took

// Sends six words through `workers` and prints which worker took which word.
void show(const char* policy, const weir::block<std::string, seen>& workers) {
  auto words = weir::source([at = std::size_t{0}]() mutable -> std::optional<std::string> {
    static const std::vector<std::string> all{"red", "blue", "red", "green", "blue", "red"};
    if (at == all.size()) return std::nullopt;
    return all[at++];
  });
  std::map<std::size_t, std::string> had;
  weir::run(words | workers | weir::sink([&](seen s) { had[s.first] += ' ' + s.second; }));

  std::cout << policy << '\n';
  for (const auto& [worker, what] : had) std::cout << "  " << worker << ':' << what << '\n';
}

int main() {
  // A context, asked for as the last parameter, says where in the network the node stands.
  auto pair = weir::farm([](std::string word, weir::context& at) { return seen{at.index(), word}; }, 2);

  // By default, to any worker that has room.
  show("balance", pair);

  // One after the other, whatever the load.
  show("round_robin", pair.round_robin());

  // To a worker with fewer than two items that it has not completed.
  show("on_demand", pair.on_demand(2));

  // Equal keys to the same worker. The key is any function of the item that std::hash takes.
  show("by_key", pair.by_key([](const std::string& word) { return word; }));

  // A copy to every worker.
  show("broadcast", pair.broadcast());

  // To the worker that your function returns. Each producer has its own copy of the function, and
  // so its own state.
  show("distribute", pair.distribute([sent = 0](const std::string&, std::size_t width) mutable -> std::size_t {
    return sent++ < 3 ? 0 : width - 1;
  }));
}
