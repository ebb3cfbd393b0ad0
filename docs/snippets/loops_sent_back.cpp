// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 1000 numbers, the longest way has 178 steps

#include <weir/weir.hpp>

#include <algorithm>
#include <iostream>
#include <optional>

namespace {

struct walk {
  long at;
  long steps = 0;
};

// A worker that does a part of its task, and sends the rest back to any worker that is free.
void go_on(walk w, weir::outlet<long>& done, weir::outlet<walk>& back) {
  for (int i = 0; i != 25 && w.at != 1; ++i, ++w.steps) w.at = w.at % 2 == 0 ? w.at / 2 : 3 * w.at + 1;
  if (w.at == 1) {
    done.send(w.steps);
  } else {
    back.send(w);
  }
}

}  // namespace

int main() {
  auto numbers = weir::source([next = 1L]() mutable -> std::optional<walk> {
    if (next > 1000) return std::nullopt;
    return walk{next++};
  });
  long count = 0;
  long longest = 0;
  auto note = weir::sink([&](long steps) { ++count, longest = std::max(longest, steps); });

  // The last outlet of the workers comes back to the farm.
  weir::run(numbers | weir::feedback(weir::farm(&go_on, 4)) | note);

  std::cout << count << " numbers, the longest way has " << longest << " steps\n";
}
