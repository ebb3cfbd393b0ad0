// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <weir/cluster/configuration.hpp>

#include "common/files.hpp"

#include <string>
#include <vector>

// Checks for problems that are visible before any group is started. Problems are lines for the
// user.

/// Returns the file from which the program would be started, looked up in PATH if `word` is a bare
/// name; returns `word` if there is no such file.
std::string found_program(const std::string& word);

/// Returns the program that a pre_command begins with; empty if only a shell can tell.
std::string leading_program(const std::string& pre_command);

/// Reports groups that would listen at the same port of the same machine.
void check_ports(const weir::cluster_configuration& configuration, std::vector<std::string>& problems);

/// Makes the folder for the output of each group, unless `folder` is empty.
/// @return the logs that are pipes, opened: each has a reader, which meets no end until all of them
/// are closed
std::vector<descriptor> check_logs(const weir::cluster_configuration& configuration, const std::string& folder,
                                   std::vector<std::string>& problems);

/// Checks a group that will run on this machine and listen at this address (empty: not known). If
/// the group has a pre_command, only that command is checked: the program may be somewhere else,
/// such as in a container.
void check_here(const weir::group_configuration& group, const std::string& program, const std::string& address,
                std::vector<std::string>& problems);
