// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "../openmp_waiting.hpp"
#include "heat.hpp"

#include <omp.h>

#include <cmath>
#include <utility>
#include <vector>

namespace {

class plate {
 public:
  explicit plate(std::size_t side) : side_(side), width_(side + 2), from_(width_ * width_), to_(width_ * width_) {
    from_[(side / 2 + 1) * width_ + side / 2 + 1] = 1e6;
  }

  double steps(std::size_t count) {
    double change = 0;
    for (; count != 0; --count) {
      change = step(from_.data() + width_ + 1, to_.data() + width_ + 1);
      std::swap(from_, to_);
    }
    return change;
  }
  double at(std::size_t row, std::size_t column) const { return from_[(row + 1) * width_ + column + 1]; }

 private:
  double step(const double* from, double* to) const {
    const auto side = static_cast<std::ptrdiff_t>(side_);
    const auto width = static_cast<std::ptrdiff_t>(width_);
    double change = 0;
#pragma omp parallel for schedule(static) reduction(max : change)
    for (std::ptrdiff_t row = 0; row < side; ++row) {
      const double* const old = from + row * width;
      double* const made = to + row * width;
#pragma omp simd reduction(max : change)
      for (std::ptrdiff_t i = 0; i < side; ++i) {
        made[i] = old[i] + 0.2 * (old[i - width] + old[i + width] + old[i - 1] + old[i + 1] - 4 * old[i]);
        change = std::max(change, std::abs(made[i] - old[i]));
      }
    }
    return change;
  }

  std::size_t side_;
  std::size_t width_;
  std::vector<double> from_;
  std::vector<double> to_;
};

}  // namespace

int main(int argc, char** argv) {
  const bool active = weir_bench::openmp_waits_actively(argc, argv);
  return weir_bench::run_heat<plate>(argc, argv, active ? "openmp_active" : "openmp");
}
