// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "file_filter.hpp"
#include "listing.hpp"
#include "matcher.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace filesearch {

/// Treatment of a file with NUL bytes, or with lines that are not valid in the locale's encoding.
enum class binary_files { tell, text, skip };

enum class listed { no, names_with_matches, names_without };

struct options {
  wanted what;
  std::vector<std::string> roots;  ///< files and directories; `-` is standard input
  std::optional<bool> file_names;  ///< whether lines get the name of their file; none: if there may be several files
  bool working_directory = false;  ///< no root was given: the only root is `.`, which isn't put before names
  bool recursive = false;
  bool follow = false;        ///< follows links in directories
  bool ignore_files = false;  ///< leaves out files that `.gitignore` files in directories name
  bool invert = false;
  bool count = false;
  bool quiet = false;        ///< prints nothing; the first match ends the search
  bool no_messages = false;  ///< prints nothing about files that can't be read
  listed names = listed::no;
  binary_files binary = binary_files::tell;
  std::size_t most = no_limit;  ///< most lines to select in a file
  line_style style;
  file_filter filter;
  std::size_t workers = 0;  ///< 0: one for each core
  bool sorted = false;
  bool table = false;
  std::string report;

  /// Whether lines are printed, and not only counts, names or nothing.
  bool prints_lines() const noexcept { return !quiet && !count && names == listed::no; }

  static constexpr std::size_t no_limit = static_cast<std::size_t>(-1);
};

/// Returns the options of the call, or an exit code if the program has to end.
/// @param version printed for --version
std::variant<options, int> parse(int argc, char** argv, std::string_view version);

}  // namespace filesearch
