// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "round_trip.hpp"

#include <atomic>

namespace {

// The limit of the machine: the item is the word that bounces between the cores. Each item differs
// from the one before.
class bare_atomic {
 public:
  static constexpr const char* name = "atomics";

  void send(std::int64_t item) { word_.store(item, std::memory_order_release); }
  std::int64_t receive() {
    std::int64_t item = last_;
    weir_bench::until_soon([&] {
      item = word_.load(std::memory_order_acquire);
      return item != last_;
    });
    return last_ = item;
  }

 private:
  alignas(64) std::atomic<std::int64_t> word_{0};
  alignas(64) std::int64_t last_ = 0;
};

}  // namespace

int main(int argc, char** argv) { return weir_bench::round_trip<bare_atomic>(argc, argv); }
