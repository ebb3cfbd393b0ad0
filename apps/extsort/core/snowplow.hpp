// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "chunk.hpp"
#include "record_format.hpp"
#include "run_output.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace extsort {

/// Setup of a snowplow.
struct snowplow_setup {
  std::uint64_t sample_distance = 0;  ///< bytes of a run between two samples
  std::uint64_t first_run = 0;        ///< number of the first run, which determines its samples
  bool is_unique = false;             ///< drops records with equal keys, as far as it sees them
  bool is_numbered = false;           ///< writes `numbered_records`
  std::stop_token stop = {};
};

/// Makes runs longer than memory by replacement selection: see snowplow.cpp. For one thread at a
/// time.
class snowplow {
 public:
  virtual ~snowplow() = default;

  /// Returns the memory that suffices for a chunk of any records in `chunk` bytes.
  static std::size_t memory_for(std::size_t chunk) noexcept { return 2 * rounded_up(chunk) + 4 * page; }

  /// Takes the records of a chunk, and writes other records if there is no room.
  /// @param of has a greater number than earlier chunks
  /// @return the runs that it has completed, in their order
  virtual std::vector<run> add(const chunk& of) = 0;
  /// Writes the remaining records. @return the remaining runs, likewise
  virtual std::vector<run> finish() = 0;
};

/// @param memory whole pages, at least `memory_for`; it and `to` outlive the snowplow
std::unique_ptr<snowplow> make_snowplow(const record_format& format, std::span<std::byte> memory, run_output& to,
                                        const snowplow_setup& setup);

}  // namespace extsort
