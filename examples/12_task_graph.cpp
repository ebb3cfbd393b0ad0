// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: the longest common subsequence of 4000 and 4000 letters has

// Tasks that name the data they work on: the table of a longest common subsequence, in blocks. A
// block needs the one above it, the one to its left, and the corner between them; so blocks along a
// diagonal run at the same time, without a barrier between diagonals.
#include <weir/patterns/task_graph.hpp>
#include <weir/weir.hpp>

#include <algorithm>
#include <iostream>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr std::size_t size = 4000;
constexpr std::size_t block = 250;

std::string letters(unsigned seed) {
  std::mt19937 random(seed);
  std::string made(size, ' ');
  for (char& each : made) each = "ACGT"[random() % 4];
  return made;
}

// table[i][j]: length for the first i letters of one text and the first j of the other.
using table = std::vector<std::vector<int>>;

void fill_block(table& lengths, const std::string& a, const std::string& b, std::size_t row, std::size_t column) {
  for (std::size_t i = row + 1; i != row + block + 1; ++i) {
    for (std::size_t j = column + 1; j != column + block + 1; ++j) {
      lengths[i][j] = a[i - 1] == b[j - 1] ? lengths[i - 1][j - 1] + 1 : std::max(lengths[i - 1][j], lengths[i][j - 1]);
    }
  }
}

}  // namespace

int main() {
  const std::string a = letters(1);
  const std::string b = letters(2);
  table lengths(size + 1, std::vector<int>(size + 1, 0));
  weir::run_tasks([&](weir::task_graph& tasks) {
    for (std::size_t row = 0; row != size; row += block) {
      for (std::size_t column = 0; column != size; column += block) {
        // A block is named by its last cell, which may also be on the edge of zeros above or to the
        // left of the table.
        tasks.add([&, row, column] { fill_block(lengths, a, b, row, column); }, weir::in(lengths[row][column + block]),
                  weir::in(lengths[row + block][column]), weir::in(lengths[row][column]),
                  weir::out(lengths[row + block][column + block]));
      }
    }
  });
  std::cout << "the longest common subsequence of " << size << " and " << size << " letters has " << lengths[size][size]
            << "\n";
  if (std::cout.flush()) return 0;
  std::cerr << "12_task_graph: can't write standard output\n";
  return 1;
}
