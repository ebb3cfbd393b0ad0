// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "disk.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace extsort {

/// A record of a run, to find others by.
struct sample {
  std::uint64_t word = 0;    ///< its first
  std::uint64_t offset = 0;  ///< in the run
};

/// Sorted records that follow each other in a file.
struct run {
  const file* in = nullptr;
  std::uint64_t begin = 0;  ///< in the file, a multiple of `page`
  std::uint64_t size = 0;   ///< bytes
  std::uint64_t records = 0;
  std::uint64_t longest = 0;    ///< record, in bytes
  std::vector<sample> samples;  ///< the first record, and one of about every so many bytes
};

/// Files for runs, one in each of some directories. They have no names, so that nothing is left of them whatever becomes of the process. Any thread may call.
class temporary_space {
 public:
  /// @param directories at least one @throws std::system_error that names the directory
  temporary_space(const std::vector<std::string>& directories, bool direct);

  struct place {
    const file* in;
    std::uint64_t begin;
  };
  /// So many bytes that nobody else has, in the next directory.
  place take(std::uint64_t size);
  /// Gives up what they hold: space on the disk that can be used for others.
  static void give_back(const run& read) noexcept;

 private:
  struct one {
    file in;
    std::atomic<std::uint64_t> end = 0;
  };
  std::deque<one> files_;
  std::atomic<std::size_t> next_ = 0;
};

}  // namespace extsort
