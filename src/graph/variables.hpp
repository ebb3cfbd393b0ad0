// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace weir::detail {

/// Returns a variable of the environment; empty if it is not set. The library reads the environment
/// only here. Variables of weir name files to be written and code to be loaded, so all of them are
/// empty in a program that has more rights than its caller (setuid, setgid, capabilities of its
/// file; secure_getenv(3)). Any thread may call it.
std::string variable(const char* name);

/// Returns whether this program has more rights than its caller.
bool has_rights_of_its_own() noexcept;

/// Removes from the environment the variables that control the runs of this process (its group and
/// cluster; the graph, the trace and the profile that are requested; the tuning), because child
/// processes that nodes start would otherwise use them, too. `variable` still returns their values.
/// Only the first call has an effect.
void take_variables_of_runs();

/// Makes a variable unset, for tests.
void forget_variable(const char* name);

}  // namespace weir::detail
