// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cut_runs.hpp"

#include "core/run_output.hpp"
#include "files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace extsort {
namespace {

// Whoever has the larger range makes the others wait.
TEST(run_cutter, makes_ranges_of_about_equal_size_where_samples_are_few) {
  constexpr std::size_t runs = 40, records = 20000, distance = std::size_t{64} << 10, ranges = 4;
  const folder where;
  arena memory(std::size_t{1} << 20);
  disk_queue disk(false);
  temporary_space space({where.path()}, 1, false);
  run_output to(disk, space, 0, {}, memory.take(8 * page));
  const binary_records format;
  std::mt19937 random(7);

  std::vector<run> all(runs);
  std::uint64_t bytes = 0;
  for (run& made : all) {
    std::vector<std::uint64_t> keys(records);
    for (std::uint64_t& key : keys) key = random();
    std::ranges::sort(keys);
    record_writer& writer = to.begin();
    sample_places samples(distance, static_cast<std::uint64_t>(&made - all.data()));
    for (const std::uint64_t key : keys) {
      std::string record = binary_record(key, std::string(random() % 64, 'x'));
      const std::size_t size = record.size();
      record.resize(size + record_slack);
      const auto* const at = reinterpret_cast<const std::byte*>(record.data());
      if (samples.take(made.size)) made.samples.push_back({format.word(at, {}), made.size, made.records});
      writer.add(at, size);
      made.size += size;
      made.longest = std::max<std::uint64_t>(made.longest, size);
      ++made.records;
    }
    to.end(made);
    bytes += made.size;
  }

  run_cutter<binary_records> cutter(disk, format, memory.take(memory.left()), nullptr, false);
  const auto cut = cutter.cut(all, ranges);
  ASSERT_EQ(cut.size(), ranges);
  for (const std::vector<run_part>& parts : cut) {
    std::uint64_t size = 0;
    for (const run_part& each : parts) size += each.end - each.begin;
    EXPECT_NEAR(static_cast<double>(size), static_cast<double>(bytes) / ranges,
                0.02 * static_cast<double>(bytes) / ranges);
  }
}

}  // namespace
}  // namespace extsort
