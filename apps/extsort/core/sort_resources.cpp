// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "sort_resources.hpp"

#include "sort_output.hpp"

#include <algorithm>

namespace extsort {

sort_resources::sort_resources(const sort_setup& setup, engine& engine, sort_progress& told, std::size_t memory_size,
                               std::size_t lanes)
    : by(engine),
      progress(told),
      stop(setup.stop),
      space(setup.temporary, lanes, setup.direct),
      memory(memory_size),
      reading(setup.by_uring) {
  for (std::size_t i = 0; i != by.workers(); ++i) disks.push_back(std::make_unique<disk_queue>(setup.by_uring));
}

void sort_resources::expect_room(const run_format& as, std::uint64_t runs, const sort_output& output,
                                 std::uint64_t output_bytes) {
  // The size of compressed runs is not known in advance.
  space.expect_room(as.compression ? 0 : runs, memory.size() / by.chunks(by.workers(), waits), output.edges(),
                    output_bytes);
}

std::uint64_t sort_resources::room_for_pass(std::uint64_t bytes) const {
  return space.is_used_again() ? std::min<std::uint64_t>(bytes, memory.size()) : bytes;
}

void sort_resources::count_disks(sort_summary& in) const {
  const auto add = [&](const disk_queue& each) {
    in.waited += each.waited();
    in.bytes_read += each.bytes_read();
    in.bytes_written += each.bytes_written();
  };
  for (const auto& each : disks) add(*each);
  add(reading);
}

}  // namespace extsort
