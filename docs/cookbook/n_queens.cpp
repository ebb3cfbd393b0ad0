// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Counts the ways to place N queens on a board of N x N fields so that none attacks another. A
// master hands boards out to the workers of a farm.

#include <weir/io/from.hpp>
#include <weir/weir.hpp>

#include <charconv>
#include <cstdint>
#include <iostream>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace {

// A board with queens in its first rows. Bits tell which fields of the next row are attacked.
struct board {
  int size, rows;
  std::uint32_t columns, left, right;
};

// Calls `use` for each board that has one queen more.
template <class Use>
void extend(const board& b, Use use) {
  for (std::uint32_t open = ~(b.columns | b.left | b.right) & ((1U << b.size) - 1); open != 0; open &= open - 1) {
    const std::uint32_t queen = open & (~open + 1);
    use(board{b.size, b.rows + 1, b.columns | queen, (b.left | queen) << 1, (b.right | queen) >> 1});
  }
}

std::uint64_t count(const board& b) {
  if (b.rows == b.size) return 1;
  std::uint64_t sum = 0;
  extend(b, [&](const board& next) { sum += count(next); });
  return sum;
}

// The workers make more boards of one with few queens, and count the solutions of the others.
struct result {
  std::vector<board> boards{};
  std::uint64_t solutions = 0;
};

result work(board b) {
  result made;
  if (b.rows < 3 && b.rows < b.size) {
    extend(b, [&](const board& next) { made.boards.push_back(next); });
  } else {
    made.solutions = count(b);
  }
  return made;
}

struct master {
  std::uint64_t solutions = 0;

  void process(int size, weir::outlet<board>& jobs, weir::outlet<std::uint64_t>&) { jobs.send({size, 0, 0, 0, 0}); }
  void returned(result r, weir::outlet<board>& jobs, weir::outlet<std::uint64_t>&) {
    solutions += r.solutions;
    for (const board& each : r.boards) jobs.send(each);
  }
  // No board is under way any more.
  void finish(weir::outlet<board>&, weir::outlet<std::uint64_t>& answers) { answers.send(solutions); }
};

}  // namespace

int main(int argc, char** argv) {
  int size = 0;
  const std::string_view number = argc == 2 ? argv[1] : "";
  if (std::from_chars(number.begin(), number.end(), size).ptr != number.end() || size < 1 || size > 20) {
    std::cerr << "usage: n_queens N, from 1 to 20\n";
    return 2;
  }
  try {
    weir::network net = weir::from({size}) | weir::feedback(master{}, weir::farm(&work).on_demand().named("work")) |
                        weir::sink([](std::uint64_t solutions) { std::cout << solutions << '\n'; });
    weir::run(net);
    if (!std::cout.flush()) throw std::runtime_error("can't write standard output");
  } catch (const std::exception& error) {
    std::cerr << "n_queens: " << error.what() << '\n';
    return 1;
  }
}
