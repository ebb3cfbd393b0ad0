// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Options that weir's own programs have in common, and what comes of them.

#include <weir/run/report.hpp>

#include "support/command_line.hpp"

#include <cstddef>
#include <string>

namespace weir::support {

/// No program has more workers: some have channels from each of them to each other one.
inline constexpr std::size_t most_workers = 256;

/// Adds `-j N`, the number of cores to use; by default all there are.
/// @param more_names of the option, such as "-t" or "--parallel", each behind a comma
void add_workers(command& to, std::size_t& workers, const std::string& more_names = "");

/// The report of a network that has run, as the options ask for it.
struct report_options {
  bool table = false;
  std::string file;  ///< empty: none
};

/// Adds `--table` and `--report FILE`.
void add_report(command& to, report_options& chosen);

/// Prints and writes what was asked for. @throws std::system_error that names the file
void tell(const report_options& chosen, const report& of);

}  // namespace weir::support
