// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: all as expected

// The tests of docs/how-to/test-a-node.md, without a framework.

#include <weir/io/collect.hpp>
#include <weir/io/from.hpp>
#include <weir/weir.hpp>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

// Sends the words of a line, and at the end their number.
struct splitter {
  int words = 0;

  void process(const std::string& line, weir::outlet<std::string>& out) {
    if (line.empty()) throw std::invalid_argument("an empty line");
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t end = std::min(line.find(' ', at), line.size());
      out.send(line.substr(at, end - at));
      ++words;
      at = end + 1;
    }
  }
  void finish(weir::outlet<std::string>& out) { out.send(std::to_string(words) + " words"); }
};

void expect(bool holds, const char* what) {
  if (holds) return;
  std::cout << "not so: " << what << '\n';
  std::exit(1);
}

// Runs a node between given items and a container. @return the items it sent
template <class Node>
std::vector<std::string> made_of(const std::vector<std::string>& lines, Node node) {
  std::vector<std::string> made;
  weir::run(weir::from(lines) | node | weir::collect(made));
  return made;
}

int main() {
  expect(made_of({"a b", "c"}, splitter{}) == std::vector<std::string>{"a", "b", "c", "3 words"}, "words, and a sum");
  expect(made_of({}, splitter{}) == std::vector<std::string>{"0 words"}, "finish is called without items, too");

  // As a worker, many times, and with more workers than this machine has cores.
  for (int round = 0; round != 100; ++round) {
    std::vector<std::string> made = made_of({"a b", "c", "d e f"}, weir::farm(splitter{}, 4));
    std::erase_if(made, [](const std::string& word) { return word.size() > 1; });
    std::sort(made.begin(), made.end());
    expect(made == std::vector<std::string>{"a", "b", "c", "d", "e", "f"}, "each word comes once");
  }

  // An exception of the node is reported with the node's name.
  std::string problem;
  try {
    made_of({"a", ""}, weir::node(splitter{}).named("split"));
  } catch (const weir::node_error& error) {
    problem = error.what();
  }
  expect(problem == "/split: an empty line", "an error");
  std::cout << "all as expected\n";
}
