// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sort_file.hpp"
#include "support/command_line.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace extsort {

/// Options for the layout and order of records, for every program that reads them. Must not be
/// moved, since the command refers to it.
class format_options {
 public:
  explicit format_options(weir::support::command& command);
  format_options(const format_options&) = delete;
  format_options& operator=(const format_options&) = delete;

  /// Returns the format that the parsed options select.
  /// @throws std::invalid_argument with the reason
  record_format format() const;
  bool is_unique() const noexcept { return is_unique_; }
  /// Returns the number of lines at the beginning that are not records.
  std::uint64_t header_lines() const noexcept { return header_lines_; }

 private:
  fixed_records fixed() const;
  std::vector<text_key> keys() const;
  std::optional<char> separator() const;

  bool is_text_ = false;
  std::uint64_t size_ = 0;
  std::vector<std::string> keys_;
  std::string separator_;
  std::string order_;  // letters, as after -k
  bool skips_blanks_ = false;
  bool is_unique_ = false;
  bool ends_with_zero_ = false;
  std::uint64_t header_lines_ = 0;
};

/// Parses a size: "512", "16K", "100M", "2G", "1T": bytes, by powers of 1024; "100MB" and the like
/// by powers of 1000.
/// @return none: the text is not a size
std::optional<std::uint64_t> parse_size(std::string_view text) noexcept;

/// Returns a transformation for options with such a size: it replaces the value by the number of
/// bytes.
std::function<std::string(std::string&)> size_of_memory(std::uint64_t least);

}  // namespace extsort
