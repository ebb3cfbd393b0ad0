// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/patterns/stencil.hpp"

#include "heat.hpp"

#include <cmath>

namespace {

class plate {
 public:
  explicit plate(std::size_t side) : cells_({side, side}) { cells_(side / 2, side / 2) = 1e6; }

  double steps(std::size_t count) {
    return weir::stencil(
               cells_,
               [](auto at) { return at(0, 0) + 0.2 * (at(-1, 0) + at(1, 0) + at(0, -1) + at(0, 1) - 4 * at(0, 0)); },
               weir::stencil_reduction{0.0, [](double before, double after) { return std::abs(after - before); },
                                       [](double a, double b) { return a > b ? a : b; }},
               count)
        .reduced;
  }
  double at(std::size_t row, std::size_t column) const { return cells_(row, column); }

 private:
  weir::grid<double, 2> cells_;
};

}  // namespace

int main(int argc, char** argv) { return weir_bench::run_heat<plate>(argc, argv, "weir"); }
