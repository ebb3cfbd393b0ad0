// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 100 frames

#include <weir/weir.hpp>

#include <cstddef>
#include <iostream>
#include <optional>
#include <vector>

int main() {
  using frame = std::vector<std::byte>;
  auto frames = weir::source([next = 0]() mutable -> std::optional<frame> {
    if (next++ == 100) return std::nullopt;
    return frame(1'000'000);
  });
  int count = 0;
  auto sharpen = [](frame f) { return f; };
  auto show = weir::sink([&](frame) { ++count; });

  // At most four frames wait for each worker, and four from each worker for the end.
  weir::run(frames | weir::farm(sharpen, 2).capacity(4) | show.capacity(4));

  // In an ordered farm the capacity also holds for each worker's results, which wait for their
  // turn.
  weir::run(frames | weir::farm(sharpen, 2).ordered().capacity(4) | weir::sink([](frame) {}).capacity(4));

  std::cout << count << " frames\n";
}
