// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: lines: 2, words of 4 letters or more: 5, the longest: regulates

#include <weir/weir.hpp>

#include <cstddef>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

// A source as a class.
struct lines {
  std::istringstream text{};

  void start() { text.str("a weir regulates\nthe flow of many streams\n"); }
  std::optional<std::string> next() {
    std::string line;
    if (!std::getline(text, line)) return std::nullopt;
    return line;
  }
};

// A node as a class: it remembers the longest word, and sends one more item at the end.
struct longest_word {
  std::string longest{};

  void start() { longest.clear(); }
  void process(std::string word, weir::outlet<std::string>& out) {
    if (word.size() > longest.size()) longest = word;
    out.send(std::move(word));
  }
  void finish(weir::outlet<std::string>& out) { out.send("the longest: " + longest); }
};

int main() {
  int line_count = 0;
  int word_count = 0;
  std::string last;

  // One item in, one out; the node may keep state, here by a reference.
  auto count = weir::node([&](std::string line) {
    ++line_count;
    return line;
  });
  // One item in, any number out: a flat map.
  auto split = weir::node([](std::string line, weir::outlet<std::string>& out) {
    std::istringstream words(line);
    for (std::string word; words >> word;) out.send(std::move(word));
  });
  // One item in, one or none out: a filter.
  auto long_only = weir::node([](std::string word) -> std::optional<std::string> {
    if (word.size() < 4) return std::nullopt;
    return word;
  });
  auto collect = weir::sink([&](std::string word) {
    if (word.starts_with("the longest")) {
      last = word;
    } else {
      ++word_count;
    }
  });

  weir::run(weir::source(lines{}) | count | split | long_only | longest_word{} | collect);
  std::cout << "lines: " << line_count << ", words of 4 letters or more: " << word_count << ", " << last << '\n';
}
