// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../harness.hpp"

#include <cstdint>
#include <vector>

namespace weir_bench {

/// Computes prefix sums of `items` numbers, `rounds` times, with `scan(in, out)`. --work n: each
/// addition also takes n ns.
template <class Scan>
int scan_main(int argc, char** argv, const char* contender, Scan&& scan) {
  const options given(argc, argv, {{"items", 20'000'000}, {"rounds", 5}, {"work", 0}});
  const std::int64_t items = given["items"];
  const std::uint64_t steps = given["work"] == 0 ? 0 : work_scale().steps(given["work"]);
  std::vector<std::int64_t> in(static_cast<std::size_t>(items), 1);
  std::vector<std::int64_t> out(in.size());
  const auto add = [steps](std::int64_t a, std::int64_t b) {
    spin(steps);
    return a + b;
  };
  scan(in, out, add);
  const stopwatch watch;
  for (std::int64_t round = 0; round != given["rounds"]; ++round) scan(in, out, add);
  const duration took = watch.elapsed();
  for (std::int64_t i = 0; i < items; i += 1 + items / 1000) verify("sum", out[static_cast<std::size_t>(i)], i + 1);
  verify("all", out.back(), items);
  print_result("scan", contender, items * given["rounds"], took);
  return 0;
}

}  // namespace weir_bench
