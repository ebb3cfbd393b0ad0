// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/patterns/stencil.hpp"

#include "weir/patterns/parallel_for.hpp"

#include "cancelled.hpp"
#include "networks.hpp"

#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace weir_test;
using weir::boundary;
using weir::grid;

constexpr std::array policies{boundary::fixed, boundary::periodic, boundary::clamped, boundary::reflected};

class stencil_in_a_node : public each_executor {};
WEIR_UNDER_EACH_EXECUTOR(stencil_in_a_node);

// Returns the cell that the reference computation uses for the cell `at` of a line of `extent`
// cells; -1 for a fixed one.
std::ptrdiff_t folded(std::ptrdiff_t at, std::ptrdiff_t extent, boundary how) {
  while (at < 0 || at >= extent) {
    switch (how) {
      case boundary::fixed: return -1;
      case boundary::periodic: at += at < 0 ? extent : -extent; break;
      case boundary::clamped: at = at < 0 ? 0 : extent - 1; break;
      case boundary::reflected: at = extent == 1 ? 0 : at < 0 ? -at : 2 * (extent - 1) - at; break;
    }
  }
  return at;
}

// The reference computation on one thread, without halos: cells of a box, whose missing dimensions
// have extent 1.
struct plain_box {
  std::array<std::ptrdiff_t, 3> extents;
  boundary how;
  double outside;
  std::vector<double> cells;

  double at(std::ptrdiff_t i, std::ptrdiff_t j, std::ptrdiff_t k) const {
    const std::array<std::ptrdiff_t, 3> asked{i, j, k};
    std::ptrdiff_t offset = 0;
    for (std::size_t d = 0; d != 3; ++d) {
      const std::ptrdiff_t found = folded(asked[d], extents[d], how);
      if (found < 0) return outside;
      offset = offset * extents[d] + found;
    }
    return cells[static_cast<std::size_t>(offset)];
  }
  template <class Step>
  double step(Step&& of) {
    std::vector<double> made;
    double change = 0;
    for (std::ptrdiff_t i = 0; i != extents[0]; ++i) {
      for (std::ptrdiff_t j = 0; j != extents[1]; ++j) {
        for (std::ptrdiff_t k = 0; k != extents[2]; ++k) {
          made.push_back(
              of([&](std::ptrdiff_t a, std::ptrdiff_t b, std::ptrdiff_t c) { return at(i + a, j + b, k + c); }));
          change = std::max(change, std::abs(made.back() - at(i, j, k)));
        }
      }
    }
    cells = std::move(made);
    return change;
  }
};

double hot_spot(std::size_t number) { return number % 7 == 3 ? 100.0 / static_cast<double>(number) : 1.5; }

const weir::stencil_reduction largest_change{0.0, [](double before, double after) { return std::abs(after - before); },
                                             [](double a, double b) { return a > b ? a : b; }};

template <std::size_t N, class Heat, class PlainHeat>
void expect_heat(const std::array<std::size_t, N>& extents, Heat&& heat, PlainHeat&& plain_heat) {
  for (const boundary how : policies) {
    for (const std::size_t grain : {0U, 1U, 50U}) {
      grid<double, N> cells(extents, {.outside = 2.5, .boundary = how});
      plain_box plain{{1, 1, 1}, how, 2.5, {}};
      for (std::size_t d = 0; d != N; ++d) plain.extents[3 - N + d] = static_cast<std::ptrdiff_t>(extents[d]);
      std::size_t number = 0;
      const auto each_cell = [&](auto&& use) {
        for (std::ptrdiff_t i = 0; i != plain.extents[0]; ++i) {
          for (std::ptrdiff_t j = 0; j != plain.extents[1]; ++j) {
            for (std::ptrdiff_t k = 0; k != plain.extents[2]; ++k) {
              if constexpr (N == 1) use(cells(k));
              if constexpr (N == 2) use(cells(j, k));
              if constexpr (N == 3) use(cells(i, j, k));
            }
          }
        }
      };
      each_cell([&](double& cell) { plain.cells.push_back(cell = hot_spot(++number)); });
      double plain_change = 0;
      for (int i = 0; i != 10; ++i) plain_change = plain.step(plain_heat);
      const auto [steps, change] = weir::stencil(cells, heat, largest_change,
                                                 [](std::size_t step, double) { return step == 10; }, {.grain = grain});
      EXPECT_EQ(steps, 10U);
      EXPECT_EQ(change, plain_change);
      number = 0;
      each_cell([&](double cell) { ASSERT_EQ(cell, plain.cells[number++]); });
    }
  }
}

TEST(stencil, spreads_heat_in_one_dimension) {
  for (const std::size_t length : {1U, 2U, 3U, 100U, 10'000U}) {
    expect_heat(
        std::array{length}, [](auto at) { return at(0) + 0.25 * (at(-1) + at(1) - 2 * at(0)); },
        [](auto at) { return at(0, 0, 0) + 0.25 * (at(0, 0, -1) + at(0, 0, 1) - 2 * at(0, 0, 0)); });
  }
}

TEST(stencil, spreads_heat_in_two_dimensions) {
  for (const std::array<std::size_t, 2> extents :
       {std::array<std::size_t, 2>{1, 1}, {1, 20}, {20, 1}, {70, 90}, {3, 3000}, {3000, 3}}) {
    expect_heat(
        extents, [](auto at) { return at(0, 0) + 0.2 * (at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1) - 4 * at(0, 0)); },
        [](auto at) {
          return at(0, 0, 0) + 0.2 * (at(0, -1, 0) + at(0, 1, 0) + at(0, 0, -1) + at(0, 0, 1) - 4 * at(0, 0, 0));
        });
  }
}

TEST(stencil, spreads_heat_in_three_dimensions) {
  const auto heat = [](auto at) {
    return at(0, 0, 0) + 0.1 * (at(-1, 0, 0) + at(1, 0, 0) + at(0, -1, 0) + at(0, 1, 0) + at(0, 0, -1) + at(0, 0, 1) -
                                6 * at(0, 0, 0));
  };
  for (const std::array<std::size_t, 3> extents : {std::array<std::size_t, 3>{1, 2, 3}, {20, 21, 22}, {2, 40, 5}}) {
    expect_heat(extents, heat, heat);
  }
}

// Uses diagonal neighbours at distance two in both dimensions.
TEST(stencil, sees_the_corners_of_the_halo) {
  for (const boundary how : policies) {
    for (const std::size_t side : {1U, 2U, 9U}) {
      grid<double, 2> cells({side, side}, {.outside = 0.5, .halo = 2, .boundary = how});
      const auto extent = static_cast<std::ptrdiff_t>(side);
      plain_box plain{{1, extent, extent}, how, 0.5, {}};
      for (std::size_t i = 0; i != side * side; ++i) plain.cells.push_back(cells(i / side, i % side) = hot_spot(i + 1));
      weir::stencil(
          cells, [](auto at) { return (at(-2, -2) + at(2, -2) + at(-2, 2) + at(2, 2)) / 4; }, 5);
      for (int i = 0; i != 5; ++i) {
        plain.step([](auto at) { return (at(0, -2, -2) + at(0, 2, -2) + at(0, -2, 2) + at(0, 2, 2)) / 4; });
      }
      for (std::size_t i = 0; i != side * side; ++i) ASSERT_EQ(cells(i / side, i % side), plain.cells[i]);
    }
  }
}

TEST(stencil, keeps_what_was_put_into_a_fixed_halo) {
  grid<double, 2> cells({4, 4});
  for (int j = 0; j != 4; ++j) cells(-1, j) = 8;
  weir::stencil(
      cells, [](auto at) { return at(-1, 0); }, 3);
  for (int j = 0; j != 4; ++j) {
    for (int i = 0; i != 4; ++i) EXPECT_EQ(cells(i, j), i < 3 ? 8 : 0);
  }
  for (int j = 0; j != 4; ++j) cells(-1, j) = 5;
  weir::stencil(
      cells, [](auto at) { return at(-1, 0); }, 1);
  EXPECT_EQ(cells(0, 2), 5);
  EXPECT_EQ(cells(1, 2), 8);
}

TEST(stencil, moves_a_glider_round_a_torus) {
  for (const std::size_t workers : {0U, 1U}) {
    grid<std::uint8_t, 2> world({16, 24}, {.boundary = boundary::periodic});
    const std::array<std::array<int, 2>, 5> glider{{{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}}};
    for (const auto& [i, j] : glider) world(i, j) = 1;
    const auto life = [](auto at) {
      const int around = at(-1, -1) + at(-1, 0) + at(-1, 1) + at(0, -1) + at(0, 1) + at(1, -1) + at(1, 0) + at(1, 1);
      return around == 3 || (around == 2 && at(0, 0) != 0);
    };
    const weir::stencil_reduction alive{0L, [](std::uint8_t, std::uint8_t now) { return long{now}; },
                                        [](long a, long b) { return a + b; }};
    std::size_t moved = 0;
    for (const std::size_t by : {1U, 10U, 100U}) {
      const auto [steps, living] = weir::stencil(world, life, alive, 4 * by, {.grain = 10, .workers = workers});
      EXPECT_EQ(living, 5);
      moved += by;
      for (const auto& [i, j] : glider) {
        EXPECT_EQ(world((static_cast<std::size_t>(i) + moved) % 16, (static_cast<std::size_t>(j) + moved) % 24), 1);
      }
    }
  }
}

TEST(stencil, tells_the_step_where_it_is) {
  grid<long, 3> cells({5, 6, 700});
  weir::stencil(cells, [](auto at) { return static_cast<long>((at.index(0) * 6 + at.index(1)) * 700 + at.index(2)); },
                1, {.grain = 100});
  for (long i = 0; i != 5 * 6 * 700; ++i) ASSERT_EQ(cells(i / 4200, i / 700 % 6, i % 700), i);
}

// Sums of floating-point numbers depend on the order of addition, which must not depend on the
// number of workers.
TEST(stencil, reduces_to_the_same_whoever_works) {
  const auto sum_of = [](std::size_t workers) {
    grid<double, 2> cells({123, 457});
    for (std::size_t i = 0; i != 123 * 457; ++i) cells(i / 457, i % 457) = std::sin(static_cast<double>(i));
    const weir::stencil_reduction sum{0.0, [](double, double after) { return after; },
                                      [](double a, double b) { return a + b; }};
    return weir::stencil(cells, [](auto at) { return (at(0, -1) + at(1, 1)) / 3; }, sum, 20,
                         {.grain = 500, .workers = workers})
        .reduced;
  };
  EXPECT_EQ(sum_of(0), sum_of(1));
}

TEST(stencil, takes_cells_and_reductions_of_any_type) {
  grid<std::string, 1> words({6}, {.value = "a", .boundary = boundary::periodic});
  words(2) = "b";
  const weir::stencil_reduction longest{std::string(), [](const std::string&, const std::string& now) { return now; },
                                        [](const std::string& a, const std::string& b) { return std::max(a, b); }};
  const auto [steps, last] = weir::stencil(words, [](auto at) { return at(-1) + at(0); }, longest, 2, {.grain = 1});
  EXPECT_EQ(last, "baaa");
  EXPECT_EQ(words(4), "baaa");
  EXPECT_EQ(words(3), "abba");
}

// Bits packed side by side would be one memory location for several threads.
TEST(stencil, reduces_to_a_bool) {
  grid<bool, 2> cells({200, 30});
  cells(199, 29) = true;
  const weir::stencil_reduction changed{false, [](bool before, bool after) { return before != after; },
                                        [](bool a, bool b) { return a || b; }};
  const auto [steps, last] = weir::stencil(
      cells, [](auto at) { return at(0, 0) || at(1, 0) || at(0, 1); }, changed,
      [](std::size_t, bool any) { return !any; }, {.grain = 30});
  EXPECT_EQ(steps, 199U + 29U + 1U);
  EXPECT_FALSE(last);
  EXPECT_TRUE(cells == (grid<bool, 2>({200, 30}, {.value = true})));
}

TEST(stencil, asks_after_each_step_whether_to_go_on) {
  grid<int, 1> cells({10});
  const auto add_one = [](auto at) { return at(0) + 1; };
  std::vector<std::size_t> asked;
  EXPECT_EQ(weir::stencil(cells, add_one,
                          [&](std::size_t iterations) {
                            asked.push_back(iterations);
                            return iterations == 3;
                          }),
            3U);
  EXPECT_EQ(asked, (std::vector<std::size_t>{1, 2, 3}));
  EXPECT_EQ(cells(7), 3);
  EXPECT_EQ(weir::stencil(cells, add_one, 0), 0U);
  EXPECT_EQ(cells(7), 3);
  const weir::stencil_reduction sum{0, [](int, int after) { return after; }, [](int a, int b) { return a + b; }};
  const auto none = weir::stencil(cells, add_one, sum, 0);
  EXPECT_EQ(none.iterations, 0U);
  EXPECT_EQ(none.reduced, 0);
}

TEST(stencil, of_no_cells_makes_steps_that_do_nothing) {
  for (const boundary how : policies) {
    grid<int, 2> cells({0, 5}, {.boundary = how});
    const weir::stencil_reduction sum{3, [](int, int after) { return after; }, [](int a, int b) { return a + b - 3; }};
    const auto fail = [](auto at) -> int {
      ADD_FAILURE();
      return at(0, 0);
    };
    const auto [steps, reduced] = weir::stencil(cells, fail, sum, [](std::size_t step, int) { return step == 4; });
    EXPECT_EQ(steps, 4U);
    EXPECT_EQ(reduced, 3);
  }
  grid<int, 1> cells({0}, {.boundary = boundary::periodic});
  EXPECT_EQ(weir::stencil(
                cells, [](auto at) { return at(0); }, 2),
            2U);
}

TEST(stencil, needs_no_halo_if_it_looks_at_no_neighbour) {
  grid<int, 2> cells({3, 3}, {.value = 2, .halo = 0});
  weir::stencil(
      cells, [](auto at) { return at(0, 0) * at(0, 0); }, 3);
  EXPECT_EQ(cells(1, 1), 256);
}

TEST(stencil, leaves_the_last_whole_step_when_something_throws) {
  grid<int, 2> cells({50, 50});
  EXPECT_THROW(weir::stencil(cells,
                             [](auto at) {
                               if (at(0, 0) == 3 && at.index(0) == 20 && at.index(1) == 30)
                                 throw std::out_of_range("step");
                               return at(0, 0) + 1;
                             },
                             100, {.grain = 10}),
               std::out_of_range);
  EXPECT_TRUE(cells == (grid<int, 2>({50, 50}, {.value = 3})));
  EXPECT_THROW(
      weir::stencil(
          cells, [](auto at) { return at(0, 0) + 1; }, [](std::size_t) -> bool { throw std::runtime_error("until"); }),
      std::runtime_error);
  EXPECT_TRUE(cells == (grid<int, 2>({50, 50}, {.value = 4})));
}

TEST(stencil, a_stop_request_ends_it) {
  std::stop_source stop;
  grid<int, 2> cells({50, 50});
  const auto step = [&](auto at) {
    if (at(0, 0) == 7) stop.request_stop();
    return at(0, 0) + 1;
  };
  EXPECT_THROW(weir::stencil(cells, step, 1'000'000, {.grain = 10, .stop = stop.get_token()}), weir::stopped);
  EXPECT_TRUE(cells == (grid<int, 2>({50, 50}, {.value = 7})));
  EXPECT_THROW(weir::stencil(cells, step, 1, {.stop = stop.get_token()}), weir::stopped);
}

TEST(stencil, runs_within_a_loop) {
  std::atomic<int> right{0};
  weir::parallel_for(0, 20, [&](int value) {
    grid<int, 2> cells({40, 40}, {.value = value, .boundary = boundary::periodic});
    weir::stencil(cells, [](auto at) { return at(1, 0) + 1; }, 10, {.grain = 50});
    if (cells == grid<int, 2>({40, 40}, {.value = value + 10})) ++right;
  });
  EXPECT_EQ(right, 20);
}

TEST_P(stencil_in_a_node, works) {
  long sum = 0;
  run(numbers(50) |
      weir::farm(
          [](long item) {
            grid<long, 2> cells({30, 30}, {.value = item, .boundary = boundary::clamped});
            weir::stencil(cells, [](auto at) { return at(-1, 0) + at(0, 1) - at(1, 1) + 1; }, 5, {.grain = 20});
            return cells(29, 0);
          },
          3) |
      weir::sink([&](long item) { sum += item; }));
  EXPECT_EQ(sum, 50 * 49 / 2 + 50 * 5);
}

TEST_P(stencil_in_a_node, ends_when_the_run_is_cancelled) {
  for (const std::size_t side : {30U, 0U}) {
    EXPECT_TRUE(is_stopped_when_cancelled(GetParam().options, [&](std::atomic<bool>& inside) {
      grid<int, 2> cells({side, side});
      weir::stencil(
          cells, [](auto at) { return 1 - at(0, 0); },
          [&](std::size_t) {
            inside = true;
            return false;
          },
          {.grain = 20});
    }));
  }
}

}  // namespace
