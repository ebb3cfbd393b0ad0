// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test: README.md
// test-output: weir

// Counts words. A farm of nodes splits lines and sends a word for each; equal words meet at one
// counter.

#include <weir/weir.hpp>

#include <cstdint>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>

namespace {

using entry = std::pair<std::string, std::uint64_t>;

// A file must be opened in `start`: making a block has no effects.
struct lines_of {
  std::string name;
  std::ifstream file{};

  void start() {
    file.open(name);
    if (!file) throw std::runtime_error("can't open " + name);
  }
  std::optional<std::string> next() {
    std::string line;
    if (!std::getline(file, line)) return std::nullopt;
    return line;
  }
};

struct tokenizer {  // a node is any class with process()
  void process(std::string line, weir::outlet<std::string>& out) {
    std::istringstream words(line);
    for (std::string word; words >> word;) out.send(std::move(word));
  }
};

struct counter {
  std::unordered_map<std::string, std::uint64_t> seen{};
  void process(std::string word, weir::outlet<entry>&) { ++seen[std::move(word)]; }
  void finish(weir::outlet<entry>& out) {
    for (auto& [word, n] : seen) out.send({word, n});
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: 03_word_count FILE\n";
    return 2;
  }
  try {
    weir::network net = weir::source(lines_of{argv[1]}).named("read") | weir::farm(tokenizer{}, 4).named("split") |
                        weir::farm(counter{}, 4).by_key(std::hash<std::string>{}).named("count") |
                        weir::sink([](entry e) { std::cout << e.second << ' ' << e.first << '\n'; }).named("print");
    weir::run(net);
  } catch (const weir::node_error& error) {
    std::cerr << "03_word_count: " << error.what() << '\n';
    return 1;
  }
  if (std::cout.flush()) return 0;
  std::cerr << "03_word_count: can't write standard output\n";
  return 1;
}
