// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "core/cut_runs.hpp"

#include "core/run_output.hpp"
#include "files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace extsort {
namespace {

// Runs of records with the given keys, cut into ranges.
class run_cutter_of : public testing::Test {
 protected:
  using keys = std::vector<std::uint64_t>;

  // @return number of bytes of each range, summed over the runs
  std::vector<double> cut(const std::vector<keys>& from, std::size_t ranges) {
    const folder where;
    arena memory(std::size_t{1} << 20);
    disk_queue disk(false);
    temporary_space space({where.path()}, 1, false);
    run_output to(disk, space, 0, {}, memory.take(8 * page));
    std::vector<run> runs;
    for (const keys& each : from) runs.push_back(made(each, runs.size(), to));

    run_cutter cutter(disk, rules_, memory.take(memory.left()), nullptr, false);
    std::vector<double> sizes;
    for (const std::vector<run_part>& parts : cutter.cut(runs, ranges)) {
      sizes.push_back(0);
      for (const run_part& each : parts) sizes.back() += static_cast<double>(each.end - each.begin);
    }
    double all = 0;
    for (const run& each : runs) all += static_cast<double>(each.size);
    EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), 0.0), all);
    return sizes;
  }

  keys random_keys(std::size_t records) {
    keys made(records);
    for (std::uint64_t& key : made) key = random_();
    std::ranges::sort(made);
    return made;
  }

 private:
  run made(const keys& from, std::uint64_t number, run_output& to) {
    constexpr std::size_t distance = std::size_t{64} << 10;
    run made;
    record_writer& writer = to.begin();
    sample_places samples(distance, number);
    for (const std::uint64_t key : from) {
      std::string record = binary_record(key, std::string(random_() % 64, 'x'));
      const std::size_t size = record.size();
      record.resize(size + record_slack);
      const auto* const at = reinterpret_cast<const std::byte*>(record.data());
      if (samples.take(made.size)) made.samples.push_back({format_.word(at, {}), made.size, made.records});
      writer.add(at, size);
      made.size += size;
      made.longest = std::max<std::uint64_t>(made.longest, size);
      ++made.records;
    }
    to.end(made);
    return made;
  }

  binary_records format_;
  rules_of<binary_records> rules_{format_};
  std::mt19937 random_{7};
};

// Ranges must have about equal size, because the thread with the largest one makes the others wait.
void expect_equal(const std::vector<double>& sizes, std::size_t ranges, double but_for) {
  ASSERT_EQ(sizes.size(), ranges);
  const double mean = std::accumulate(sizes.begin(), sizes.end(), 0.0) / static_cast<double>(ranges);
  for (const double each : sizes) EXPECT_NEAR(each, mean, but_for * mean);
}

TEST_F(run_cutter_of, runs_that_are_alike_makes_ranges_of_about_equal_size) {
  std::vector<keys> runs;
  while (runs.size() != 40) runs.push_back(random_keys(20000));
  expect_equal(cut(runs, 4), 4, 0.02);
}

TEST_F(run_cutter_of, runs_behind_each_other_does) {
  std::vector<keys> runs(20);
  std::uint64_t next = 0;
  for (keys& each : runs)
    while (each.size() != 3000) each.push_back(next++);
  expect_equal(cut(runs, 8), 8, 0.15);  // each run has two or three samples only
}

TEST_F(run_cutter_of, equal_keys_does) { expect_equal(cut(std::vector<keys>(20, keys(3000, 1)), 8), 8, 0.15); }

TEST_F(run_cutter_of, few_records_loses_none) {
  for (const std::size_t ranges : {1, 2, 3, 8}) EXPECT_LE(cut({{}, {1}, {1, 2}, {}, {0}}, ranges).size(), ranges);
}

}  // namespace
}  // namespace extsort
