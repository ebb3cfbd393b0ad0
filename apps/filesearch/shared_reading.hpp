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

/// Reads a large file in parts, and looks for lines in them, on this core and on others of the run
/// that have nothing to do.
class shared_reading {
 public:
  /// Whether there are other cores.
  static bool possible();

  /// Files of which less is left are not worth it.
  static constexpr std::size_t least_bytes = std::size_t{4} << 20;

  /// @param looks_for_nul whether NUL bytes mean that a file is binary
  shared_reading(wanted what, bool looks_for_nul) : what_(std::move(what)), looks_for_nul_(looks_for_nul) {}

  void begin_file();

  /// So many bytes are read at a time.
  static std::size_t part_bytes();

  struct slice {
    std::size_t bytes = 0;
    bool is_short = false;  ///< the file ends, or can't be read
    int error = 0;
    /// Places are in the slice. None, if a NUL byte was read that means something.
    std::optional<known_lines> found = {};
  };
  /// @return whether more is wanted
  using taker = std::function<bool(slice)>;

  /// Reads bytes of a file in slices, to `text`. Each goes to `take`, one after the other in order,
  /// on this thread, while others are still read; none does after a short one.
  /// @param offset where they are in the file; a multiple of file_search::block_bytes
  void read(int file, std::uint64_t offset, char* text, std::size_t bytes, const taker& take);

 private:
  slice read_slice(int file, std::uint64_t offset, char* text, std::size_t bytes, matcher& matches) const;
  matcher& matcher_of(std::size_t worker);

  wanted what_;
  bool looks_for_nul_;
  std::vector<std::unique_ptr<matcher>> matchers_;  // of each worker of a join
};

}  // namespace filesearch
