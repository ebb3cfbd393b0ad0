// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: /pairs: is one_to_one, but 2 producers meet 3 consumers; make the widths equal./parse: 'tow' is not a number.after the error: tow

#include <weir/weir.hpp>

#include <cstddef>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

struct bad_number : std::runtime_error {
  explicit bad_number(std::string bad) : std::runtime_error("'" + bad + "' is not a number"), text(std::move(bad)) {}
  std::string text;
};

int parsed(std::string text) {
  if (text.find_first_not_of("0123456789") != std::string::npos) throw bad_number(text);
  return std::stoi(text);
}

auto words() {
  return weir::source([at = std::size_t{0}]() mutable -> std::optional<std::string> {
    static const std::vector<std::string> all{"1", "tow", "3"};
    if (at == all.size()) return std::nullopt;
    return all[at++];
  });
}

void a_graph_that_cannot_work() {
  try {
    auto three = weir::farm(&parsed, 3).one_to_one().named("pairs");
    auto two = weir::farm([](std::string word) { return word; }, 2);
    weir::run(words() | two | three | weir::sink([](int) {}));
  } catch (const weir::graph_error& error) {
    std::cout << error.what() << '\n';
  }
}

void a_node_that_fails() {
  try {
    weir::run(words() | weir::node(&parsed).named("parse") | weir::sink([](int) {}));
  } catch (const weir::node_error& error) {
    std::cout << error.what() << '\n';  // error.path() is the first half of it
    try {
      std::rethrow_if_nested(error);
    } catch (const bad_number& original) {
      std::cout << "after the error: " << original.text << '\n';
    }
  }
}

int main() {
  a_graph_that_cannot_work();
  a_node_that_fails();
}
