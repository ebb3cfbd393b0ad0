// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "known_lines.hpp"
#include "matcher.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace filesearch {

/// Reads a large file in parts and searches them for lines, on this core and on idle cores of the
/// run.
class shared_reading {
 public:
  /// Whether there are other cores.
  static bool possible();

  /// Least remaining size of a file for which shared reading pays.
  static constexpr std::size_t least_bytes = std::size_t{4} << 20;

  /// @param looks_for_nul whether NUL bytes mean that a file is binary
  shared_reading(wanted what, bool looks_for_nul) : what_(std::move(what)), looks_for_nul_(looks_for_nul) {}

  void begin_file();

  /// Returns the number of bytes that are read at a time.
  static std::size_t part_bytes();

  struct slice {
    std::size_t bytes = 0;
    bool is_short = false;  ///< whether the file ends, or can't be read
    int error = 0;
    /// Matching lines, as places in the slice. None if a significant NUL byte was read.
    std::optional<known_lines> found = {};
  };
  /// @return whether more slices are wanted
  using taker = std::function<bool(slice)>;

  /// Reads bytes of a file in slices into `text`. Passes the slices to `take` one by one, in order,
  /// on this thread, while further slices are still read. No slice follows a short one.
  /// @param offset position of the bytes in the file; a multiple of file_search::block_bytes
  void read(int file, std::uint64_t offset, char* text, std::size_t bytes, const taker& take);

 private:
  slice read_slice(int file, std::uint64_t offset, char* text, std::size_t bytes, matcher& matches) const;
  matcher& matcher_of(std::size_t worker);

  wanted what_;
  bool looks_for_nul_;
  std::vector<std::unique_ptr<matcher>> matchers_;  // one for each worker of a join
};

}  // namespace filesearch
