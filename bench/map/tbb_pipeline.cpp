// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/patterns/parallel_for.hpp>

#include "signals.hpp"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_pipeline.h>

#include <utility>

int main(int argc, char** argv) {
  using namespace weir_bench;
  return map_main(argc, argv, "tbb_pipeline", [](std::int64_t signals, std::size_t samples, const auto& add) {
    constexpr auto mode = tbb::filter_mode::serial_in_order;
    std::int64_t next = 0;
    tbb::parallel_pipeline(64, tbb::make_filter<void, signal>(mode, [&](tbb::flow_control& flow) {
                                 if (next != signals) return signal_of(next++, samples);
                                 flow.stop();
                                 return signal();
                               }) & tbb::make_filter<signal, signal>(mode, [](signal one) {
                                 tbb::parallel_for(std::size_t{0}, one.size(),
                                                   [&](std::size_t i) { one[i] = compressed(one[i]); });
                                 return one;
                               }) & tbb::make_filter<signal, void>(mode, [&](const signal& one) { add(one); }));
  });
}
