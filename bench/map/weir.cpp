// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/patterns/map.hpp>
#include <weir/weir.hpp>

#include "signals.hpp"

#include <optional>

int main(int argc, char** argv) {
  using namespace weir_bench;
  return map_main(argc, argv, "weir", [](std::int64_t signals, std::size_t samples, const auto& add) {
    weir::run(weir::source([next = std::int64_t{0}, signals, samples]() mutable -> std::optional<signal> {
                if (next == signals) return std::nullopt;
                return signal_of(next++, samples);
              }) |
              weir::map([](float& sample) { sample = compressed(sample); }) |
              weir::sink([&](const signal& s) { add(s); }));
  });
}
