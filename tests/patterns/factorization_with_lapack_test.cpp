// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Factorizations of tiled matrices by task graphs, beside LAPACK's.

#include "weir/patterns/task_graph.hpp"

#include "tiled_matrix.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace weir_test;
using weir::run_tasks;
using weir::task_graph;

class factorization : public testing::TestWithParam<int> {};  // the size of a tile
INSTANTIATE_TEST_SUITE_P(tiles, factorization, testing::Values(8, 32, 100));

TEST_P(factorization, cholesky_is_what_lapack_gives) {
  tiled_matrix tiled = tiled_matrix::positive_definite(300 / GetParam(), GetParam(), 1);
  std::vector<double> expected = tiled.as_columns();
  ASSERT_EQ(lapack_cholesky(expected, tiled.rows()), 0);
  run_tasks(
      [&](task_graph& tasks) { cholesky(tiled, [&](auto body, auto... accesses) { tasks.add(body, accesses...); }); });
  EXPECT_LT(largest_difference(tiled.as_columns(), expected, tiled.rows(), /*lower_only=*/true), 1e-10);
}

TEST_P(factorization, lu_is_what_lapack_gives) {
  tiled_matrix tiled = tiled_matrix::diagonally_dominant(300 / GetParam(), GetParam(), 2);
  std::vector<double> expected = tiled.as_columns();
  ASSERT_TRUE(lapack_lu(expected, tiled.rows()));
  run_tasks([&](task_graph& tasks) { lu(tiled, [&](auto body, auto... accesses) { tasks.add(body, accesses...); }); });
  EXPECT_LT(largest_difference(tiled.as_columns(), expected, tiled.rows(), /*lower_only=*/false), 1e-10);
}

}  // namespace
