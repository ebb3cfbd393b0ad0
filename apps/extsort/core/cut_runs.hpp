// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "merge.hpp"
#include "record_rules.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace extsort {

/// Returns the memory that a run_cutter takes: for two records, and the blocks that contain them.
/// @param frame of the runs, or 0
std::size_t cutter_memory(std::uint64_t longest, std::size_t frame) noexcept;

/// Cuts runs into ranges of about equal size in the order of all their records: by the key, the
/// number of the run, and the place in it, so that ranges share equal records, too. Each cut is
/// exact: it lies between the same two records in every run. A few reads find it (Varman,
/// Scheufler, Iyer, Ricard 1991, with samples instead of estimates). For one thread at a time.
class run_cutter {
 public:
  /// @param rules outlive this object
  /// @param scratch of at least `cutter_memory`, at a page
  /// @param decoder may be null if runs are not compressed
  /// @param by_key_only keeps records with equal keys in one range
  run_cutter(disk_queue& disk, const record_rules& rules, std::span<std::byte> scratch, frame_decoder* decoder,
             bool by_key_only)
      : disk_(&disk), rules_(&rules), scratch_(scratch), decoder_(decoder), by_key_only_(by_key_only) {}

  /// @return for each range the part of each run
  std::vector<std::vector<run_part>> cut(std::span<const run> runs, std::size_t ranges);

 private:
  // A place in a run.
  struct position {
    std::uint64_t offset = 0;
    std::uint64_t before = 0;  // records
  };
  struct splitter {
    std::uint64_t word;
    std::uint32_t run;
    position at;
    std::vector<std::byte> record;
  };

  struct held {
    const run* of = nullptr;
    std::uint64_t begin = 0;  // place in the run
    std::uint64_t size = 0;
  };

  std::vector<splitter> choose(std::span<const run> runs, std::size_t ranges);
  bool is_before(record_view record, std::uint32_t number, const splitter& by) const;
  position cut_of(std::span<const run> runs, std::uint32_t number, const splitter& by);
  record_view record_at(const run& of, std::uint64_t offset);

  disk_queue* disk_;
  const record_rules* rules_;
  std::span<std::byte> scratch_;
  frame_decoder* decoder_;
  bool by_key_only_;
  held held_;
};

}  // namespace extsort
