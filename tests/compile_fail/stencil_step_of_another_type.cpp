// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// expect: weir: the step of a stencil takes a weir::neighbourhood of the grid and returns a cell
#include <weir/patterns/stencil.hpp>
#include <weir/weir.hpp>

int main() {
  weir::grid<double, 2> plate({2, 2});
#ifdef CONTROL
  weir::stencil(
      plate, [](weir::neighbourhood<double, 2> at) { return at(0, 1); }, 3);
#else
  weir::stencil(
      plate, [](weir::neighbourhood<double, 1> at) { return at(1); }, 3);
#endif
}
