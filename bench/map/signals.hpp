// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../harness.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace weir_bench {

/// A stream of signals, each compressed sample by sample. The results are made and added up one
/// signal after the other.
using signal = std::vector<float>;

inline signal signal_of(std::int64_t number, std::size_t samples) {
  signal made(samples);
  const auto phase = static_cast<std::uint32_t>(number);
  for (std::size_t i = 0; i != samples; ++i) {
    made[i] = static_cast<float>((static_cast<std::uint32_t>(i) * 37 + phase) % 2001) * 1e-3F - 1;
  }
  return made;
}

/// Takes some ten nanoseconds.
inline float compressed(float sample) { return std::copysign(std::log1p(255 * std::abs(sample)), sample); }

/// Runs `run(signals, samples, add)`, which calls `add(mapped signal)` for each signal, one at a
/// time. An item is a sample.
template <class Run>
int map_main(int argc, char** argv, const char* contender, Run&& run) {
  const options given(argc, argv, {{"signals", 2000}, {"samples", 20'000}});
  const auto samples = static_cast<std::size_t>(given["samples"]);
  std::int64_t came = 0;
  double peak = 0;
  const auto add = [&](const signal& mapped) {
    ++came;
    peak = std::max(peak, static_cast<double>(*std::ranges::max_element(mapped)));
  };
  run(given["signals"] / 20 + 1, samples, add);
  came = 0;
  const stopwatch watch;
  run(given["signals"], samples, add);
  const duration took = watch.elapsed();
  verify("number of signals", came, given["signals"]);
  print_result("map", contender, given["signals"] * given["samples"], took, {{"peak", peak}});
  return 0;
}

}  // namespace weir_bench
