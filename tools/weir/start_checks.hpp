// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <weir/cluster/configuration.hpp>

#include <string>
#include <vector>

// What can be known to go wrong before any group is started. Problems are lines for the user.

/// Where it would be started from, by PATH if it is a bare name; the word itself if there is no
/// such file.
std::string found_program(const std::string& word);

/// The program that a pre_command begins with; empty if a shell must say.
std::string leading_program(const std::string& pre_command);

/// Groups that would listen at one port of one machine.
void check_ports(const weir::cluster_configuration& configuration, std::vector<std::string>& problems);

/// Makes the folder in which each group's output is kept, if that is wanted: `folder` is not empty.
void check_logs(const weir::cluster_configuration& configuration, const std::string& folder,
                std::vector<std::string>& problems);

/// A group that is to run on this machine, and listen at this address of it (empty: not known).
/// Where it has a pre_command, that alone must be there: the program may be somewhere else, such as
/// in a container.
void check_here(const weir::group_configuration& group, const std::string& program, const std::string& address,
                std::vector<std::string>& problems);
