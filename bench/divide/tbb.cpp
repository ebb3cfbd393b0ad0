// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/io/from.hpp>

#include "divide.hpp"

#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/task_group.h>

#include <deque>

namespace {

struct ways {
  static std::int64_t fibonacci(std::int64_t n, std::int64_t cut_off) {
    if (n < cut_off) return weir_bench::fibonacci(n);
    std::int64_t a = 0;
    std::int64_t b = 0;
    tbb::parallel_invoke([&] { a = fibonacci(n - 1, cut_off); }, [&] { b = fibonacci(n - 2, cut_off); });
    return a + b;
  }
  static std::int64_t from(const weir_bench::queens& board, int size, int cut_off) {
    if (board.row >= cut_off) return weir_bench::solutions(board, size);
    tbb::task_group group;
    std::deque<std::int64_t> found;
    for (std::uint32_t left = board.free(size); left != 0; left &= left - 1) {
      std::int64_t& mine = found.emplace_back(0);
      group.run([&mine, next = board.with(left & -left), size, cut_off] { mine = from(next, size, cut_off); });
    }
    group.wait();
    std::int64_t sum = 0;
    for (const std::int64_t each : found) sum += each;
    return sum;
  }
  static std::int64_t queens(int size, int cut_off) { return from({}, size, cut_off); }
  static void merge_sort(const weir_bench::sortable& all, std::ptrdiff_t cut_off) {
    if (all.size() <= cut_off) return std::sort(all.first, all.last);
    tbb::parallel_invoke([&] { merge_sort(all.lower(), cut_off); }, [&] { merge_sort(all.upper(), cut_off); });
    all.merge();
  }
};

}  // namespace

int main(int argc, char** argv) { return weir_bench::divide_main<ways>(argc, argv, "tbb"); }
