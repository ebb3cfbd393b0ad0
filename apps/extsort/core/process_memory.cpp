// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "process_memory.hpp"

#include "memory_shares.hpp"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>

namespace extsort {

std::size_t taken_already() {
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

namespace {

// Memory for stacks and small objects, and for libraries once they are used.
std::size_t beside_records(std::size_t taken, std::size_t workers) noexcept {
  return taken + (workers + 2) * (std::size_t{192} << 10) + (std::size_t{11} << 18);
}

}  // namespace

std::size_t workers_within(std::uint64_t limit, std::size_t taken, std::size_t asked, int compression) {
  std::optional<run_compression> as;
  if (compression != 0) as = {.level = compression, .frame = least_block};
  const auto fits = [&](std::size_t workers) {
    const std::size_t beside = beside_records(taken, workers);
    return limit > beside && workers_with_memory(workers, limit - beside, as) == workers;
  };
  while (asked > 1 && !fits(asked)) --asked;
  return asked;
}

std::size_t memory_for_records(std::uint64_t limit, std::size_t taken, std::size_t workers, std::size_t others) {
  constexpr std::uint64_t least = std::uint64_t{2} << 20;
  std::size_t beside = beside_records(taken, workers);
  if (others != 0) beside += (others + 4) * (std::size_t{512} << 10);
  return std::max<std::uint64_t>(limit, beside + least) - beside;
}

void share_freed_memory() noexcept {
#ifdef __GLIBC__
  ::mallopt(M_ARENA_MAX, 1);
#endif
}

}  // namespace extsort
