// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/patterns/parallel_scan.hpp>

#include "scan.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_scan.h>

int main(int argc, char** argv) {
  return weir_bench::scan_main(argc, argv, "tbb", [](const auto& in, auto& out, const auto& add) {
    using range = tbb::blocked_range<std::size_t>;
    tbb::parallel_scan(
        range(0, in.size()), std::int64_t{0},
        [&](const range& some, std::int64_t sum, bool is_final) {
          for (std::size_t i = some.begin(); i != some.end(); ++i) {
            sum = add(sum, in[i]);
            if (is_final) out[i] = sum;
          }
          return sum;
        },
        add);
  });
}
