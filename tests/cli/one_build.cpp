// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Adds up the numbers below 1000, as type VALUE. It is compiled several times, as the builds of one
// program may differ on the hosts of a cluster.
#include <weir/weir.hpp>

#include <cstdio>
#include <exception>
#include <optional>

namespace {

struct sample {
#ifdef SWAPPED
  int unit;
  VALUE value;
#else
  VALUE value;
  int unit;
#endif
};

}  // namespace

int main() {
  long sum = 0;
  int next = 0;
  weir::network net = weir::source([&]() -> std::optional<sample> {
                        if (next == 1000) return std::nullopt;
                        sample made{};
                        made.value = static_cast<VALUE>(next++);
                        return made;
                      }).in_group("G1") |
                      weir::sink([&](sample s) { sum += static_cast<long>(s.value); }).in_group("G2");
  try {
    if (weir::run(net).in_result_group) std::printf("%ld\n", sum);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "one_build: %s\n", problem.what());
    return 1;
  }
  return 0;
}
