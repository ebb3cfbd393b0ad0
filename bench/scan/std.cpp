// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "scan.hpp"

#include <numeric>

int main(int argc, char** argv) {
  return weir_bench::scan_main(argc, argv, "std", [](const auto& in, auto& out, const auto& add) {
    std::inclusive_scan(in.begin(), in.end(), out.begin(), add);
  });
}
