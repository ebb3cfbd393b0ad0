// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Options that are common to the programs of weir, and their effects.

#include <weir/run/report.hpp>

#include "support/command_line.hpp"

#include <cstddef>
#include <string>

namespace weir::support {

/// Upper limit for the workers of a program: some programs have channels between every two of them.
inline constexpr std::size_t most_workers = 256;

/// Adds `-j N`, the number of cores to use; the default is all available cores.
/// @param more_names of the option, such as "-t" or "--parallel", each preceded by a comma
void add_workers(command& to, std::size_t& workers, const std::string& more_names = "");

/// The requested forms of the report of a network that has run.
struct report_options {
  bool table = false;
  std::string file;  ///< empty: none
};

/// Adds `--table` and `--report FILE`.
void add_report(command& to, report_options& chosen);

/// Prints and writes the requested reports. @throws std::system_error that names the file
void tell(const report_options& chosen, const report& of);

}  // namespace weir::support
