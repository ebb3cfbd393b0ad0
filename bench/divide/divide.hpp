// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../harness.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace weir_bench {

inline std::int64_t fibonacci(std::int64_t n) noexcept { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

/// Queens on the rows above: bits of the columns, and of the two diagonals, that they attack.
struct queens {
  int row = 0;
  std::uint32_t columns = 0;
  std::uint32_t left = 0;
  std::uint32_t right = 0;

  std::uint32_t free(int size) const noexcept { return ~(columns | left | right) & ((1U << size) - 1); }
  queens with(std::uint32_t column) const noexcept {
    return {row + 1, columns | column, (left | column) << 1, (right | column) >> 1};
  }
};
inline std::int64_t solutions(const queens& board, int size) noexcept {
  if (board.row == size) return 1;
  std::int64_t sum = 0;
  for (std::uint32_t left = board.free(size); left != 0; left &= left - 1)
    sum += solutions(board.with(left & -left), size);
  return sum;
}

/// A part of an array to be sorted, and a buffer of the same size.
struct sortable {
  std::uint64_t* first;
  std::uint64_t* last;
  std::uint64_t* room;

  std::ptrdiff_t size() const noexcept { return last - first; }
  std::uint64_t* middle() const noexcept { return first + size() / 2; }
  sortable lower() const noexcept { return {first, middle(), room}; }
  sortable upper() const noexcept { return {middle(), last, room + size() / 2}; }
  void merge() const {
    std::merge(first, middle(), middle(), last, room);
    std::copy(room, room + size(), first);
  }
};

/// The problems of divide and conquer, implemented for each library. `Ways` has
///
///     static std::int64_t fibonacci(std::int64_t n, std::int64_t cut_off)    below the cut-off: weir_bench::fibonacci
///     static std::int64_t queens(int size, int cut_off)                      from that row on: weir_bench::solutions
///     static void merge_sort(const sortable&, std::ptrdiff_t cut_off)        up to that size: std::sort
template <class Ways>
int divide_main(int argc, char** argv, const char* contender) {
  const options given(argc, argv, {{"items", 36}, {"kind", 0}, {"cut_off", 20}});
  const std::int64_t n = given["items"];
  const std::int64_t cut_off = given["cut_off"];
  const auto timed = [&](std::int64_t units, auto&& work) {
    const stopwatch watch;
    work();
    const duration took = watch.elapsed();
    print_result("divide", contender, units, took, {{"ms", static_cast<double>(took.wall_ns) / 1e6}});
  };
  switch (given["kind"]) {
    case 0: {
      const std::int64_t expected = fibonacci(n);
      verify("number", Ways::fibonacci(n, cut_off), expected);
      timed(expected, [&] { verify("number", Ways::fibonacci(n, cut_off), expected); });
      return 0;
    }
    case 1: {
      const auto size = static_cast<int>(n);
      const std::int64_t expected = solutions({}, size);
      verify("solutions", Ways::queens(size, static_cast<int>(cut_off)), expected);
      timed(expected, [&] { verify("solutions", Ways::queens(size, static_cast<int>(cut_off)), expected); });
      return 0;
    }
    case 2: {
      std::mt19937_64 random(42);
      std::vector<std::uint64_t> numbers(static_cast<std::size_t>(n));
      std::vector<std::uint64_t> room(numbers.size());
      for (std::uint64_t& each : numbers) each = random();
      timed(n, [&] { Ways::merge_sort({numbers.data(), numbers.data() + n, room.data()}, cut_off); });
      verify("order", std::is_sorted(numbers.begin(), numbers.end()), 1);
      return 0;
    }
    default: return 2;
  }
}

}  // namespace weir_bench
