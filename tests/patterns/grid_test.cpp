// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/patterns/grid.hpp"

#include "weir/patterns/stencil.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using weir::boundary;
using weir::grid;

TEST(grid, holds_cells_and_a_halo) {
  grid<int, 2> cells({3, 4}, {.value = 7, .outside = -1, .halo = 2});
  EXPECT_EQ(cells.size(), 12U);
  EXPECT_EQ(cells.extent(0), 3U);
  EXPECT_EQ(cells.extent(1), 4U);
  for (int i = -2; i != 5; ++i) {
    for (int j = -2; j != 6; ++j) {
      const bool inside = i >= 0 && i < 3 && j >= 0 && j < 4;
      EXPECT_EQ(cells(i, j), inside ? 7 : -1);
    }
  }
  cells(2, 3) = 1;
  cells.row(1)[2] = 2;
  EXPECT_EQ(std::as_const(cells)(1, 2), 2);
  EXPECT_EQ(std::as_const(cells).row(2)[3], 1);
  EXPECT_EQ(&cells(1, 1) - &cells(0, 1), 8);
}

TEST(grid, checks_indices_where_asked) {
  grid<int, 1> cells({3}, {.halo = 1});
  EXPECT_EQ(cells.at(-1), 0);
  EXPECT_EQ(cells.at(3), 0);
  EXPECT_THROW(cells.at(-2), std::out_of_range);
  EXPECT_THROW(cells.at(4), std::out_of_range);
}

TEST(grid, is_a_value) {
  grid<std::string, 2> a({2, 2}, {.value = "x"});
  const grid<std::string, 2> b = a;
  EXPECT_TRUE(a == b);
  a(1, 0) = "y";
  EXPECT_FALSE(a == b);
  grid<std::string, 2> c = std::move(a);
  EXPECT_EQ(c(1, 0), "y");
  c = b;
  EXPECT_TRUE(c == b);
  EXPECT_FALSE((grid<int, 2>({2, 3}) == grid<int, 2>({3, 2})));
}

TEST(grid, may_be_empty) {
  EXPECT_EQ((grid<int, 2>({0, 5}).size()), 0U);
  EXPECT_EQ((grid<int, 1>({0}, {.halo = 0}).size()), 0U);
  EXPECT_TRUE((grid<int, 2>({0, 5}) == grid<int, 2>({0, 5})));
}

TEST(grid, refuses_more_cells_than_there_can_be) {
  constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();
  EXPECT_THROW((grid<int, 1>({huge})), std::invalid_argument);
  EXPECT_THROW((grid<int, 2>({huge / 4, huge / 4})), std::invalid_argument);
  EXPECT_THROW((grid<int, 1>({1}, {.halo = huge / 2})), std::invalid_argument);
  EXPECT_THROW((grid<int, 2>({0, huge})), std::invalid_argument);
}

// Returns the cells that a stencil sees of a row 1 2 3 4, including the halo at both ends.
std::vector<int> seen_beyond(boundary how, std::size_t extent, std::size_t halo) {
  grid<int, 1> row({extent}, {.outside = 9, .halo = halo, .boundary = how});
  for (std::size_t i = 0; i != extent; ++i) row(i) = static_cast<int>(i) + 1;
  weir::stencil(
      row, [](auto at) { return at(0); }, 1);
  std::vector<int> all;
  const auto reach = static_cast<std::ptrdiff_t>(halo);
  for (std::ptrdiff_t i = -reach; i != static_cast<std::ptrdiff_t>(extent) + reach; ++i) all.push_back(row(i));
  return all;
}

TEST(grid, fills_its_halo_as_the_boundary_says) {
  using list = std::vector<int>;
  EXPECT_EQ(seen_beyond(boundary::fixed, 4, 2), (list{9, 9, 1, 2, 3, 4, 9, 9}));
  EXPECT_EQ(seen_beyond(boundary::periodic, 4, 2), (list{3, 4, 1, 2, 3, 4, 1, 2}));
  EXPECT_EQ(seen_beyond(boundary::clamped, 4, 2), (list{1, 1, 1, 2, 3, 4, 4, 4}));
  EXPECT_EQ(seen_beyond(boundary::reflected, 4, 2), (list{3, 2, 1, 2, 3, 4, 3, 2}));
}

TEST(grid, may_be_smaller_than_its_halo) {
  using list = std::vector<int>;
  EXPECT_EQ(seen_beyond(boundary::fixed, 1, 3), (list{9, 9, 9, 1, 9, 9, 9}));
  EXPECT_EQ(seen_beyond(boundary::periodic, 2, 3), (list{2, 1, 2, 1, 2, 1, 2, 1}));
  EXPECT_EQ(seen_beyond(boundary::clamped, 1, 3), (list{1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(seen_beyond(boundary::reflected, 1, 3), (list{1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(seen_beyond(boundary::reflected, 2, 3), (list{2, 1, 2, 1, 2, 1, 2, 1}));
}

TEST(grid, has_a_boundary_for_each_dimension) {
  grid<int, 2> cells({2, 2}, {.outside = 9, .boundary = {boundary::periodic, boundary::fixed}});
  cells(0, 0) = 1;
  cells(0, 1) = 2;
  cells(1, 0) = 3;
  cells(1, 1) = 4;
  weir::stencil(
      cells, [](auto at) { return at(0, 0); }, 2);
  const std::vector<std::vector<int>> expected{{9, 3, 4, 9}, {9, 1, 2, 9}, {9, 3, 4, 9}, {9, 1, 2, 9}};
  for (int i = -1; i != 3; ++i) {
    for (int j = -1; j != 3; ++j) {
      EXPECT_EQ(cells(i, j), expected[static_cast<std::size_t>(i + 1)][static_cast<std::size_t>(j + 1)]);
    }
  }
}

}  // namespace
