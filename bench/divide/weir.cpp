// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/patterns/divide_and_conquer.hpp"

#include "divide.hpp"

#include <array>
#include <numeric>

namespace {

struct ways {
  static std::int64_t fibonacci(std::int64_t n, std::int64_t cut_off) {
    return weir::divide_and_conquer(
        n, [=](std::int64_t m) { return m < cut_off; }, [](std::int64_t m) { return weir_bench::fibonacci(m); },
        [](std::int64_t m) {
          return std::array{m - 1, m - 2};
        },
        [](std::array<std::int64_t, 2> two) { return two[0] + two[1]; });
  }
  static std::int64_t queens(int size, int cut_off) {
    return weir::divide_and_conquer(
        weir_bench::queens{}, [=](const weir_bench::queens& board) { return board.row >= cut_off; },
        [=](const weir_bench::queens& board) { return weir_bench::solutions(board, size); },
        [=](const weir_bench::queens& board) {
          std::vector<weir_bench::queens> next;
          for (std::uint32_t left = board.free(size); left != 0; left &= left - 1)
            next.push_back(board.with(left & -left));
          return next;
        },
        [](const std::vector<std::int64_t>& all) { return std::accumulate(all.begin(), all.end(), std::int64_t{0}); });
  }
  static void merge_sort(const weir_bench::sortable& all, std::ptrdiff_t cut_off) {
    using weir_bench::sortable;
    weir::divide_and_conquer(
        all, [=](const sortable& part) { return part.size() <= cut_off; },
        [](const sortable& part) { std::sort(part.first, part.last); },
        [](const sortable& part) {
          return std::array{part.lower(), part.upper()};
        },
        [](const sortable& part) { part.merge(); });
  }
};

}  // namespace

int main(int argc, char** argv) { return weir_bench::divide_main<ways>(argc, argv, "weir"); }
