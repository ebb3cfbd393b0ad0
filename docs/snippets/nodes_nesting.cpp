// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: paths:.*/read.*/clean.0./trim.*/clean.1./upper.*/count.1..2.

#include <weir/weir.hpp>

#include <cctype>
#include <cstddef>
#include <functional>
#include <iostream>
#include <optional>
#include <string>
#include <utility>

namespace {

std::optional<std::string> trimmed(std::string text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return std::nullopt;
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

int main() {
  auto read = weir::source([n = 0]() mutable -> std::optional<std::string> {
                if (n == 100) return std::nullopt;
                return "  word " + std::to_string(n++ % 7) + ' ';
              }).named("read");

  // A farm of pipelines: two times trim | upper.
  auto clean = weir::farm(weir::node(&trimmed).named("trim") | weir::node(&upper).named("upper"), 2).named("clean");

  // A farm of farms: two sections of three workers. The load selects the section, and the key the
  // worker in it.
  auto section = weir::farm([](std::string word) { return word.size(); }, 3).by_key(std::hash<std::string>{});
  auto count = weir::farm(section, 2).named("count");

  std::size_t letters = 0;
  auto sum = weir::sink([&](std::size_t n) { letters += n; }).named("sum");

  weir::network net = read | clean | count | sum;
  const weir::report report = weir::run(net);

  std::cout << letters << " letters\npaths:";
  for (const weir::node_report& node : report.nodes) std::cout << ' ' << node.path;
  std::cout << '\n';
}
