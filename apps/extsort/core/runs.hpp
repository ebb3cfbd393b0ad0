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
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace extsort {

/// A record of a run, to find others by.
struct sample {
  std::uint64_t word = 0;    ///< its first
  std::uint64_t offset = 0;  ///< in the run
  std::uint64_t before = 0;  ///< records in front of it
};

/// Which records of a run become its samples: the first, and one of about every so many bytes, from
/// a place on that is another one in each run. At the same places, samples of runs that are alike
/// would have about the same keys, and nothing would be known of what lies between.
class sample_places {
 public:
  /// None.
  sample_places() = default;
  /// @param distance bytes @param run its number
  sample_places(std::uint64_t distance, std::uint64_t run) noexcept
      : distance_(distance), step_(distance / 1024 * (run * golden_ratio >> 54)), next_(0) {}

  /// @param offset of a record in the run, in their order
  bool take(std::uint64_t offset) noexcept {
    if (offset < next_) [[likely]]
      return false;
    next_ = offset + std::exchange(step_, distance_);
    return true;
  }

 private:
  static constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15;  // of 2^64: multiples are spread evenly (Knuth)
  std::uint64_t distance_ = 0;
  std::uint64_t step_ = 0;
  std::uint64_t next_ = std::numeric_limits<std::uint64_t>::max();
};

/// Sorted records that follow each other in a file.
struct run {
  const file* in = nullptr;
  std::uint64_t begin = 0;  ///< in the file, a multiple of `page`
  std::uint64_t size = 0;   ///< bytes
  std::uint64_t records = 0;
  std::uint64_t longest = 0;    ///< record, in bytes
  std::vector<sample> samples;  ///< the first record, and one of about every so many bytes
  std::uint64_t stored = 0;     ///< bytes in the file
  std::size_t frame = 0;        ///< see run_compression; 0: it is not compressed
  frame_index frames;

  /// Reading begins at a multiple of so many bytes.
  std::size_t unit() const noexcept { return frame == 0 ? page : frame; }
};

/// A run that is not what was written: the disk or the memory is faulty.
class damaged_run : public std::runtime_error {
 public:
  explicit damaged_run(const run& which);
};

/// Files for runs, in some directories. They have no names, so that nothing is left of them
/// whatever becomes of the process. Runs are written in lanes, one of them at a time in each, in
/// files of its own: so their sizes need not be known before, and writers don't wait for each
/// other. Any thread may call, but of one lane one at a time.
class temporary_space {
 public:
  /// @param directories at least one @throws std::system_error that names the directory
  temporary_space(const std::vector<std::string>& directories, std::size_t lanes, bool direct);

  struct place {
    const file* in = nullptr;
    std::uint64_t begin = 0;
    std::size_t number = 0;  ///< of the file
  };
  /// Sees to it that there is room for so many bytes of runs more, and for so many of the output; a
  /// run is going to have about so many. Nobody may call anything else meanwhile.
  /// @throws not_enough_space
  void expect_room(std::uint64_t run_bytes, std::uint64_t one_run, const file& output, std::uint64_t output_bytes);
  /// Where the next run of a lane goes, in the next directory that has room for it, as far as that
  /// is known.
  place begin(std::size_t lane);
  /// It has so many bytes.
  void end(const place& of, std::uint64_t size) noexcept;
  /// One more file without a name, in the directory with the most room.
  file another() const;
  /// Gives up what they hold: space on the disk that can be used for others.
  static void give_back(const run& read) noexcept;
  /// Likewise, what is from that byte of a run to before another one, but for pages and frames that
  /// have more.
  static void give_back(const run& read, std::uint64_t begin, std::uint64_t end) noexcept;
  /// Whether space that is given back has room for other runs at once: on one file system that
  /// makes holes in files.
  bool is_used_again() const noexcept;
  /// Whether all of it is.
  bool is_in_memory() const noexcept;
  /// How many files there are.
  std::size_t files() const noexcept { return files_.size(); }
  /// Gives up all runs of a file, which is a tenth of a sort by one thread where files are in
  /// memory. Of several files, several threads may call.
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
  std::vector<one> files_;         // those of one lane beside each other
  std::vector<std::size_t> next_;  // of each lane, which of its files
  std::deque<directory> directories_;
  std::uint64_t one_run_ = 0;  // bytes
};

}  // namespace extsort
