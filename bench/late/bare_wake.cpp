// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The limit: the time in which one thread wakes another on this machine, without weir.

#include "calls.hpp"

#include <atomic>
#include <thread>

using namespace weir_bench;

namespace {

duration timed_late(std::int64_t items, late_calls calls, late_samples& seen) {
  std::atomic<std::int64_t> sent{0};
  const stopwatch watch;
  std::thread consumer([&] {
    for (std::int64_t i = 0; i != items; ++i) {
      sent.wait(0);
      seen.arrived(sent.exchange(0));
    }
  });
  for (std::int64_t i = 0; i != items; ++i) {
    calls([&](std::int64_t stamp) {
      while (sent.load() != 0) std::this_thread::yield();
      sent.store(stamp);
      sent.notify_one();
    });
  }
  consumer.join();
  return watch.elapsed();
}

}  // namespace

int main(int argc, char** argv) { return late_main(argc, argv, "bare_wake", timed_late); }
