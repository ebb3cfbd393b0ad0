// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The returned value would be discarded, of the second of two fused nodes as well.
// expect: weir: start, quiet, finish and on_deadline return nothing; they send by the outlets that process has
#include <weir/weir.hpp>

#include <optional>

struct total {
  long sum = 0;
  std::optional<long> process(long item) {
    sum += item;
    return std::nullopt;
  }
#ifdef CONTROL
  void finish(weir::outlet<long>& out) { out.send(sum); }
#else
  long finish() { return sum; }
#endif
};

int main() {
  static_cast<void>(weir::fuse([](long item) { return item; }, total{}));
}
