// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test: README.md
// test-output: [0-9]+ the

// Counts words, the most frequent first: a map-reduce, which counts at each mapper before equal
// words meet. 03_word_count.cpp does the same by hand, and sends each word.

#include <weir/io/collect.hpp>
#include <weir/io/lines.hpp>
#include <weir/patterns/map_reduce.hpp>
#include <weir/patterns/parallel_sort.hpp>
#include <weir/weir.hpp>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

void words_of(const std::string& line, weir::pair_outlet<std::string, std::uint64_t>& pairs) {
  std::istringstream words(line);
  for (std::string word; words >> word;) pairs.send(std::move(word), 1);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: 15_map_reduce FILE\n";
    return 2;
  }
  std::vector<std::pair<std::string, std::uint64_t>> counts;
  const auto add = [](std::uint64_t& total, std::uint64_t more) { total += more; };
  try {
    weir::run(weir::lines(argv[1]) | weir::map_reduce(&words_of, add).named("count") | weir::collect(counts));
  } catch (const weir::node_error& error) {
    std::cerr << "15_map_reduce: " << error.what() << '\n';
    return 1;
  }

  weir::parallel_sort(
      counts, [](const auto& a, const auto& b) { return std::pair(b.second, a.first) < std::pair(a.second, b.first); });
  counts.resize(std::min<std::size_t>(counts.size(), 10));
  for (const auto& [word, count] : counts) std::cout << count << ' ' << word << '\n';
  if (std::cout.flush()) return 0;
  std::cerr << "15_map_reduce: can't write standard output\n";
  return 1;
}
