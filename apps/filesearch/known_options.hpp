// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The table of filesearch's options. The parser, the help, the manual page and the completion are
// made from it.

#include "support/described_command.hpp"

#include <getopt.h>

#include <string>
#include <vector>

namespace filesearch {

/// Codes of options without a short name; the code of another one is its short name.
enum : int {
  o_help = 256,
  o_include,
  o_exclude,
  o_exclude_dir,
  o_exclude_from,
  o_binary,
  o_ignore_files,
  o_color,
  o_sort,
  o_table,
  o_report,
  o_case
};

/// The options as getopt_long wants them. The texts live as long as the program.
struct parser_options {
  std::string letters;
  std::vector<::option> names;
};
const parser_options& known_options();

/// The command with its options.
/// @param version the number for "filesearch NUMBER"
weir::support::described_command described(const std::string& version);

/// The text of --help.
std::string help_of(const weir::support::described_command& command);

}  // namespace filesearch
