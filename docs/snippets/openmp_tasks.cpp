// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// needs: openmp
// test:
// test-output: openmp 14200, weir 14200

// In how many ways 12 queens fit on a board: by recursive tasks of OpenMP, and by divide and
// conquer of weir.

#include <weir/patterns/divide_and_conquer.hpp>

#include <iostream>
#include <numeric>
#include <vector>

// A board of 12 columns whose first rows have a queen each.
struct board {
  int row = 0;
  unsigned columns = 0;
  unsigned left = 0;  // squares of this row that a diagonal attacks
  unsigned right = 0;
};

std::vector<board> next_rows(const board& b) {
  std::vector<board> next;
  for (unsigned free = ~(b.columns | b.left | b.right) & 0xfffU; free != 0; free &= free - 1) {
    const unsigned queen = free & -free;
    next.push_back({b.row + 1, b.columns | queen, (b.left | queen) << 1U, (b.right | queen) >> 1U});
  }
  return next;
}

// One after the other.
int count(const board& b) {
  if (b.row == 12) return 1;
  int all = 0;
  for (const board& each : next_rows(b)) all += count(each);
  return all;
}

int by_openmp(const board& b) {
  if (b.row == 3) return count(b);
  int all = 0;
  for (const board& each : next_rows(b)) {
#pragma omp task shared(all) firstprivate(each)
    {
      const int some = by_openmp(each);
#pragma omp atomic
      all += some;
    }
  }
#pragma omp taskwait
  return all;
}

int by_weir() {
  return weir::divide_and_conquer(
      board{}, [](const board& b) { return b.row == 3; }, count, next_rows,
      [](const std::vector<int>& some) { return std::accumulate(some.begin(), some.end(), 0); });
}

int main() {
  int all = 0;
#pragma omp parallel
#pragma omp single
  all = by_openmp({});
  std::cout << "openmp " << all << ", weir " << by_weir() << '\n';
}
