// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/member/sampled.hpp"

#include <chrono>
#include <ctime>
#include <optional>
#include <utility>

namespace weir::cluster {

std::vector<to_coordinator::sampled> sampled(std::uint64_t number, std::uint64_t run, const numbered_report* report) {
  timespec cpu{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
  const std::int64_t cpu_ns = std::chrono::nanoseconds(std::chrono::seconds(cpu.tv_sec)).count() + cpu.tv_nsec;
  std::vector<std::optional<numbered_report>> parts;
  if (report == nullptr) {
    parts.emplace_back();
  } else {
    for (numbered_report& each : parts_of(*report)) parts.emplace_back(std::move(each));
  }
  std::vector<to_coordinator::sampled> messages;
  for (std::optional<numbered_report>& each : parts) {
    messages.push_back({.number = number, .cpu_ns = cpu_ns, .run = run, .part = std::move(each), .more = true});
  }
  messages.back().more = false;
  return messages;
}

}  // namespace weir::cluster
