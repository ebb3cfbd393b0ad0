// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include <optional>

namespace weir::support {

/// What weir's own programs return.
inline constexpr int failure = 1;      ///< something that was asked for could not be done
inline constexpr int wrong_usage = 2;  ///< the call makes no sense

/// Parses the command line into what is bound to `app`. An option with an empty value is a wrong call. If the program is to end here (it was asked for help or its version,
/// or the call is wrong, which one line on standard error then says) returns its exit code.
std::optional<int> parse(CLI::App& app, int argc, const char* const* argv);

/// A check for options that take a number between two limits: its message names the option, the value and the limits.
CLI::Validator whole_number(long long least, long long most);

}  // namespace weir::support
