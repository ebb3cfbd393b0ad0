// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/patterns/parallel_scan.hpp>

#include "scan.hpp"

int main(int argc, char** argv) {
  return weir_bench::scan_main(argc, argv, "weir", [](const auto& in, auto& out, const auto& add) {
    weir::parallel_scan(in, out.begin(), std::int64_t{0}, add);
  });
}
