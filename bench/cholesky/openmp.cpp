// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../openmp_waiting.hpp"
#include "cholesky.hpp"

namespace {

void factor(weir_test::tiled_matrix& a) {
  namespace kernels = weir_test::kernels;
  const int n = a.tile();
  for (int k = 0; k != a.tiles(); ++k) {
    double* const diagonal = a.at(k, k);
#pragma omp task depend(inout : diagonal[0])
    kernels::factor_symmetric(diagonal, n);
    for (int i = k + 1; i != a.tiles(); ++i) {
      double* const below = a.at(i, k);
#pragma omp task depend(in : diagonal[0]) depend(inout : below[0])
      kernels::solve_right_transposed(diagonal, below, n);
    }
    for (int i = k + 1; i != a.tiles(); ++i) {
      double* const left = a.at(i, k);
      double* const own = a.at(i, i);
#pragma omp task depend(in : left[0]) depend(inout : own[0])
      kernels::update_symmetric(left, own, n);
      for (int j = k + 1; j != i; ++j) {
        double* const other = a.at(j, k);
        double* const to = a.at(i, j);
#pragma omp task depend(in : left[0], other[0]) depend(inout : to[0])
        kernels::update_transposed(left, other, to, n);
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  weir_bench::openmp_waits_actively(argc, argv);
  return weir_bench::cholesky_main(argc, argv, "openmp", [](weir_test::tiled_matrix& matrix) {
#pragma omp parallel
#pragma omp single
    factor(matrix);
  });
}
