// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A bare ring in shared memory. The sender copies messages into it, the receiver copies each out of
// it. A side that has to wait pauses 64 times, then yields its core.
#include "../waiting.hpp"
#include "messages.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

using namespace weir_bench;

namespace {

constexpr std::size_t ring_bytes = 4 << 20;

struct ring {
  alignas(64) std::atomic<std::uint64_t> written;  // messages
  alignas(64) std::atomic<std::uint64_t> taken;
  alignas(4096) char bytes[ring_bytes];
};

// Waits for a value of `of` that is not `old`, and returns it.
std::uint64_t news(const std::atomic<std::uint64_t>& of, std::uint64_t old) {
  for (int looks = 0;; ++looks) {
    const std::uint64_t now = of.load(std::memory_order_acquire);
    if (now != old) return now;
    if (looks < 64) {
      pause_core();
    } else {
      ::sched_yield();
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const options given = stream_options(argc, argv);
  const auto items = static_cast<std::uint64_t>(given["items"]);
  const auto size = static_cast<std::size_t>(given["size"]);
  const std::uint64_t room = ring_bytes / size;  // messages
  // Indices are published for this number of messages at a time.
  const std::uint64_t together = std::clamp<std::uint64_t>(16'384 / size, 1, room / 4);
  const shared_value<ring> ring;
  const shared_value<stream_outcome> outcome;
  const pid_t sender = start_process([&] {
    std::vector<char> message(size);
    std::uint64_t taken = 0;
    for (std::uint64_t next = 0; next != items;) {
      if (next - taken == room) taken = news(ring->taken, taken);
      const std::uint64_t until = std::min({items, taken + room, next + together});
      for (; next != until; ++next) {
        std::memcpy(message.data(), &next, sizeof next);
        std::memcpy(ring->bytes + next % room * size, message.data(), size);
      }
      ring->written.store(next, std::memory_order_release);
    }
  });
  const pid_t receiver = start_process([&] {
    double sum = 0;
    const std::int64_t before = now_ns();
    std::vector<char> message(size);
    std::uint64_t written = 0;
    for (std::uint64_t next = 0; next != items;) {
      if (next == written) written = news(ring->written, written);
      const std::uint64_t until = std::min(written, next + together);
      for (; next != until; ++next) {
        std::memcpy(message.data(), ring->bytes + next % room * size, size);
        std::int64_t first = 0;
        std::memcpy(&first, message.data(), sizeof first);
        sum += static_cast<double>(first);
      }
      ring->taken.store(next, std::memory_order_release);
    }
    outcome->sum = sum;
    outcome->wall_ns = now_ns() - before;
  });
  wait_for_processes({sender, receiver});
  outcome->cpu_ns = cpu_ns_with_children();
  print_stream("ring", given, *outcome);
}
