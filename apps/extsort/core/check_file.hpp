// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine.hpp"
#include "sort_file.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace extsort {

/// What a file holds.
struct file_contents {
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
  std::uint64_t sum = 0;  ///< of the records, whatever their order: of their XXH3, modulo 2^64
  /// Where the first record is that should be before the one in front of it, by its key.
  std::optional<std::uint64_t> first_disorder;
  /// Where the first record is whose number is not greater than that of the one in front of it, which has the same key. Of records that `recgen` has made.
  std::optional<std::uint64_t> first_instability;
};

/// Reads a whole file. @throws bad_record, std::system_error
file_contents check_file(const std::string& name, const record_format& format, engine& by, std::size_t memory);

}  // namespace extsort
