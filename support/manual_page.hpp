// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/described_command.hpp"

#include <string>
#include <vector>

namespace weir::support {

/// Returns the manual page of a command, of section 1, in the language of the macros man(7).
/// It has the version and no date, so that it is the same in each build.
/// @param others names of pages of the same program, which the page refers to
std::string manual_page(const described_command& command, const std::vector<std::string>& others);

/// Returns the name of the page of a command: "weir-run" for "weir run".
std::string page_name(const described_command& command);

}  // namespace weir::support
