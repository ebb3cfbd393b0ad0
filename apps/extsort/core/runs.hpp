// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "disk.hpp"
#include "free_space.hpp"
#include "run_codec.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace extsort {

/// A record of a run, by which other records of the run are found.
struct sample {
  std::uint64_t word = 0;    ///< its first
  std::uint64_t offset = 0;  ///< byte in the run at which it begins
  std::uint64_t before = 0;  ///< records in front of it
};

/// Selects the samples of a run: its first record, and one about every `distance` bytes. The first
/// interval differs from run to run. With the same places, samples of similar runs would have about
/// the same keys, and the keys between them would be unknown.
class sample_places {
 public:
  /// Takes no samples.
  sample_places() = default;
  /// @param distance bytes @param run its number
  sample_places(std::uint64_t distance, std::uint64_t run) noexcept
      : distance_(distance), step_(distance / 1024 * (run * golden_ratio >> 54)), next_(0) {}

  /// Returns whether to take a record. @param offset of the record in the run, in ascending order
  bool take(std::uint64_t offset) noexcept {
    if (offset < next_) [[likely]]
      return false;
    next_ = offset + std::exchange(step_, distance_);
    return true;
  }

 private:
  static constexpr std::uint64_t golden_ratio =
      0x9e3779b97f4a7c15;  // 2^64 / phi: its multiples are spread evenly (Knuth)
  std::uint64_t distance_ = 0;
  std::uint64_t step_ = 0;
  std::uint64_t next_ = std::numeric_limits<std::uint64_t>::max();
};

/// Sorted records, one after the other in a file.
struct run {
  const file* in = nullptr;
  std::uint64_t begin = 0;  ///< place in the file, a multiple of `page`
  std::uint64_t size = 0;   ///< bytes
  std::uint64_t records = 0;
  std::uint64_t longest = 0;    ///< bytes of the longest record
  std::vector<sample> samples;  ///< the first record, and one about every `sample_distance` bytes
  std::uint64_t stored = 0;     ///< bytes in the file
  std::size_t frame = 0;        ///< see run_compression; 0: it is not compressed
  frame_index frames;

  /// Reading begins at a multiple of this many bytes.
  std::size_t unit() const noexcept { return frame == 0 ? page : frame; }
};

/// Numbers of the records of some runs.
struct record_counts {
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
  std::uint64_t longest = 0;  ///< bytes of the longest record, as stored
};

/// @param in_front bytes in front of each record that are not its own, and do not count in `bytes`
record_counts counts_of(std::span<const run> all, std::size_t in_front);

/// A run differs from the one that was written: the disk or the memory is faulty.
class damaged_run : public std::runtime_error {
 public:
  explicit damaged_run(const run& which);
};

/// Files for runs, in several directories. The files have no names, so none is left when the
/// process ends in any way. Runs are written in lanes, one run at a time in each lane, in files of
/// its own, so sizes of runs need not be known in advance, and writers do not wait for each other.
/// Any thread may call, but only one at a time for a lane.
class temporary_space {
 public:
  /// @param directories at least one @throws std::system_error that names the directory
  temporary_space(const std::vector<std::string>& directories, std::size_t lanes, bool direct);

  struct place {
    const file* in = nullptr;
    std::uint64_t begin = 0;
    std::size_t number = 0;  ///< number of the file
  };
  /// Ensures that there is room for these bytes of further runs and of the output; a run is
  /// expected to have `one_run` bytes. No other function may be called meanwhile.
  /// @throws not_enough_space
  void expect_room(std::uint64_t run_bytes, std::uint64_t one_run, const file& output, std::uint64_t output_bytes);
  /// Returns the place for the next run of a lane, in the next directory that, as far as known, has
  /// room for it.
  place begin(std::size_t lane);
  /// Sets the size of the run at that place.
  void end(const place& of, std::uint64_t size) noexcept;
  /// Opens one more file without a name, in the directory with the most room.
  file another() const;
  /// Releases the disk space of a run, which other files can use.
  static void give_back(const run& read) noexcept;
  /// Likewise, for the bytes from `begin` to `end` of a run, except pages and frames that have
  /// other bytes, too.
  static void give_back(const run& read, std::uint64_t begin, std::uint64_t end) noexcept;
  /// Whether released space can be used for other runs at once: there is only one file system, and
  /// it supports holes in files.
  bool is_used_again() const noexcept;
  /// Whether all files are in memory.
  bool is_in_memory() const noexcept;
  /// Returns the number of files.
  std::size_t files() const noexcept { return files_.size(); }
  /// Releases all runs of a file. If files are in memory, this takes a tenth of the time of a sort
  /// by one thread. Several threads may call it for different files.
  void clear(std::size_t number) noexcept;

 private:
  struct one {
    file in;
    std::uint64_t end = 0;
    std::size_t directory = 0;
  };
  struct directory {
    std::uint64_t room = std::numeric_limits<std::uint64_t>::max();
    std::atomic<std::uint64_t> taken = 0;
  };
  bool is_direct_;
  std::size_t lanes_;
  std::vector<one> files_;         // files of a lane are beside each other
  std::vector<std::size_t> next_;  // for each lane, the number of its next file
  std::deque<directory> directories_;
  std::uint64_t one_run_ = 0;  // bytes
};

}  // namespace extsort
