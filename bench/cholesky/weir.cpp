// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/patterns/task_graph.hpp>

#include "cholesky.hpp"

int main(int argc, char** argv) {
  return weir_bench::cholesky_main(argc, argv, "weir", [](weir_test::tiled_matrix& matrix) {
    weir::run_tasks([&](weir::task_graph& tasks) {
      weir_test::cholesky(matrix, [&](auto body, auto... accesses) { tasks.add(body, accesses...); });
    });
  });
}
