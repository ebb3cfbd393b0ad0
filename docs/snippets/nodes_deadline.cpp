// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test:
// test-output: 20 numbers

#include <weir/weir.hpp>

#include <chrono>
#include <cstddef>
#include <iostream>
#include <utility>
#include <vector>

using namespace std::chrono_literals;

// Makes batches of eight, or of the items that came within ten milliseconds.
struct batcher {
  std::vector<int> batch{};
  std::chrono::steady_clock::time_point due{};

  void process(int n, weir::outlet<std::vector<int>>& out) {
    if (batch.empty()) due = std::chrono::steady_clock::now() + 10ms;
    batch.push_back(n);
    if (batch.size() == 8) out.send(std::exchange(batch, {}));
  }
  std::chrono::steady_clock::time_point deadline() const {
    return batch.empty() ? std::chrono::steady_clock::time_point::max() : due;
  }
  void on_deadline(weir::outlet<std::vector<int>>& out) { out.send(std::exchange(batch, {})); }
  void finish(weir::outlet<std::vector<int>>& out) {
    if (!batch.empty()) out.send(std::exchange(batch, {}));
  }
};

int main() {
  std::size_t numbers = 0;
  weir::run(weir::source([](weir::outlet<int>& out) {
              for (int n = 0; n != 20; ++n) out.send(n);
            }) |
            batcher{} | weir::sink([&](std::vector<int> batch) { numbers += batch.size(); }));
  std::cout << numbers << " numbers\n";
}
