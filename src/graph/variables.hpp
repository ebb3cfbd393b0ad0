// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace weir {

/// A variable of the environment; empty where it is not set. Nothing else in the library reads the
/// environment: variables of weir name files to be written and code to be loaded, so a program that
/// has more rights than whoever calls it (setuid, setgid, capabilities of its file;
/// secure_getenv(3)) finds all of them empty. Any thread.
std::string variable(const char* name);

/// Whether this is such a program.
bool has_rights_of_its_own() noexcept;

/// From the first call on, the variables that say what the runs of this process are to be (which
/// group of which cluster it is; the graph, the trace, the profile that is wanted, the tuning) are
/// not in its environment any more, but `variable` still knows them: programs that its nodes start
/// would else take them for their own.
void take_variables_of_runs();

/// As if it had never been set. For tests.
void forget_variable(const char* name);

}  // namespace weir
