// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/patterns/task_graph.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

extern "C" {
// NOLINTBEGIN(readability-identifier-naming)
void dpotrf_(const char* half, const int* n, double* a, const int* lda, int* info);
void dgetrf_(const int* m, const int* n, double* a, const int* lda, int* pivots, int* info);
void dtrsm_(const char* side, const char* half, const char* transposed, const char* unit, const int* m, const int* n,
            const double* alpha, const double* a, const int* lda, double* b, const int* ldb);
void dsyrk_(const char* half, const char* transposed, const int* n, const int* k, const double* alpha, const double* a,
            const int* lda, const double* beta, double* c, const int* ldc);
void dgemm_(const char* transposed_a, const char* transposed_b, const int* m, const int* n, const int* k,
            const double* alpha, const double* a, const int* lda, const double* b, const int* ldb, const double* beta,
            double* c, const int* ldc);
// Present if the library is OpenBLAS. Several threads call it, and each must do its own work.
void openblas_set_num_threads(int threads) __attribute__((weak));
// NOLINTEND(readability-identifier-naming)
}

namespace weir_test {

/// A square matrix in square tiles. Each tile is contiguous, by columns. LAPACK's kernels work on
/// the tiles.
class tiled_matrix {
 public:
  tiled_matrix(int tiles, int tile) : tiles_(tiles), tile_(tile), all_(index(tiles * tiles) * index(tile * tile)) {
    if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
  }

  static tiled_matrix positive_definite(int tiles, int tile, unsigned seed) {
    tiled_matrix made(tiles, tile);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> entry(-1, 1);
    for (int column = 0; column != made.rows(); ++column) {
      for (int row = column; row != made.rows(); ++row) {
        made(row, column) = made(column, row) = row == column ? made.rows() + entry(random) : entry(random);
      }
    }
    return made;
  }
  static tiled_matrix diagonally_dominant(int tiles, int tile, unsigned seed) {
    tiled_matrix made(tiles, tile);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> entry(-1, 1);
    for (int column = 0; column != made.rows(); ++column) {
      for (int row = 0; row != made.rows(); ++row)
        made(row, column) = entry(random) + (row == column ? 2 * made.rows() : 0);
    }
    return made;
  }

  int rows() const noexcept { return tiles_ * tile_; }
  int tiles() const noexcept { return tiles_; }
  const int& tile() const noexcept { return tile_; }
  double* at(int row, int column) noexcept { return all_.data() + index(row * tiles_ + column) * index(tile_ * tile_); }
  double& operator()(int row, int column) noexcept {
    return at(row / tile_, column / tile_)[index(column % tile_ * tile_ + row % tile_)];
  }
  std::vector<double> as_columns() {
    std::vector<double> made;
    for (int column = 0; column != rows(); ++column) {
      for (int row = 0; row != rows(); ++row) made.push_back((*this)(row, column));
    }
    return made;
  }

 private:
  static std::size_t index(int i) noexcept { return static_cast<std::size_t>(i); }
  int tiles_;
  int tile_;
  std::vector<double> all_;
};

namespace kernels {
inline constexpr double one = 1;
inline constexpr double minus_one = -1;

inline void factor_symmetric(double* a, int n) {
  int info = 0;
  dpotrf_("L", &n, a, &n, &info);
}
// b := b / l^T, with l lower triangular
inline void solve_right_transposed(const double* l, double* b, int n) {
  dtrsm_("R", "L", "T", "N", &n, &n, &one, l, &n, b, &n);
}
// c := c - a a^T
inline void update_symmetric(const double* a, double* c, int n) {
  dsyrk_("L", "N", &n, &n, &minus_one, a, &n, &one, c, &n);
}
// c := c - a b^T
inline void update_transposed(const double* a, const double* b, double* c, int n) {
  dgemm_("N", "T", &n, &n, &n, &minus_one, a, &n, b, &n, &one, c, &n);
}
inline void factor(double* a, int n) {
  std::vector<int> pivots(static_cast<std::size_t>(n));
  int info = 0;
  dgetrf_(&n, &n, a, &n, pivots.data(), &info);
}
// b := l^-1 b, with l unit lower triangular
inline void solve_left(const double* l, double* b, int n) { dtrsm_("L", "L", "N", "U", &n, &n, &one, l, &n, b, &n); }
// b := b u^-1
inline void solve_right(const double* u, double* b, int n) { dtrsm_("R", "U", "N", "N", &n, &n, &one, u, &n, b, &n); }
// c := c - a b
inline void update(const double* a, const double* b, double* c, int n) {
  dgemm_("N", "N", &n, &n, &n, &minus_one, a, &n, b, &n, &one, c, &n);
}
}  // namespace kernels

/// Hands the tasks of a tiled Cholesky factorization to `add(body, accesses...)` (A. Buttari et
/// al., A class of parallel tiled linear algebra algorithms for multicore architectures, 2009).
template <class Add>
void cholesky(tiled_matrix& a, Add&& add) {
  using weir::in;
  using weir::inout;
  const int n = a.tile();
  for (int k = 0; k != a.tiles(); ++k) {
    double* const diagonal = a.at(k, k);
    add([=] { kernels::factor_symmetric(diagonal, n); }, inout(diagonal));
    for (int i = k + 1; i != a.tiles(); ++i) {
      double* const below = a.at(i, k);
      add([=] { kernels::solve_right_transposed(diagonal, below, n); }, in(diagonal), inout(below));
    }
    for (int i = k + 1; i != a.tiles(); ++i) {
      const double* const left = a.at(i, k);
      double* const own = a.at(i, i);
      add([=] { kernels::update_symmetric(left, own, n); }, in(left), inout(own));
      for (int j = k + 1; j != i; ++j) {
        const double* const other = a.at(j, k);
        double* const to = a.at(i, j);
        add([=] { kernels::update_transposed(left, other, to, n); }, in(left), in(other), inout(to));
      }
    }
  }
}

/// Hands the tasks of a tiled LU factorization without exchanges of rows to `add`.
template <class Add>
void lu(tiled_matrix& a, Add&& add) {
  using weir::in;
  using weir::inout;
  const int n = a.tile();
  for (int k = 0; k != a.tiles(); ++k) {
    double* const diagonal = a.at(k, k);
    add([=] { kernels::factor(diagonal, n); }, inout(diagonal));
    for (int i = k + 1; i != a.tiles(); ++i) {
      double* const right = a.at(k, i);
      double* const below = a.at(i, k);
      add([=] { kernels::solve_left(diagonal, right, n); }, in(diagonal), inout(right));
      add([=] { kernels::solve_right(diagonal, below, n); }, in(diagonal), inout(below));
    }
    for (int i = k + 1; i != a.tiles(); ++i) {
      for (int j = k + 1; j != a.tiles(); ++j) {
        const double* const left = a.at(i, k);
        const double* const above = a.at(k, j);
        double* const to = a.at(i, j);
        add([=] { kernels::update(left, above, to, n); }, in(left), in(above), inout(to));
      }
    }
  }
}

/// Factorizes the whole matrix, stored by columns, by LAPACK. @return LAPACK's info
inline int lapack_cholesky(std::vector<double>& columns, int rows) {
  int info = 0;
  dpotrf_("L", &rows, columns.data(), &rows, &info);
  return info;
}
/// Factorizes the whole matrix by LAPACK.
/// @return whether LAPACK succeeded and exchanged no rows, as is the case for a diagonally dominant
/// matrix
inline bool lapack_lu(std::vector<double>& columns, int rows) {
  std::vector<int> pivots(static_cast<std::size_t>(rows));
  int info = 0;
  dgetrf_(&rows, &rows, columns.data(), &rows, pivots.data(), &info);
  for (int i = 0; i != rows; ++i) {
    if (pivots[static_cast<std::size_t>(i)] != i + 1) return false;
  }
  return info == 0;
}

inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b, int rows,
                                 bool lower_only) {
  double largest = 0;
  for (int column = 0; column != rows; ++column) {
    for (int row = lower_only ? column : 0; row != rows; ++row) {
      const auto i = static_cast<std::size_t>(column * rows + row);
      largest = std::max(largest, std::abs(a[i] - b[i]));
    }
  }
  return largest;
}

}  // namespace weir_test
