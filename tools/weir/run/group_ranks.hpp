// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/started_groups.hpp"

#include <string>

/// Starts all groups as the ranks of an MPI job, by one command.
/// @param input the group that gets our standard input
/// @throws std::exception if the job can't be started
std::unique_ptr<started_groups> start_ranks(launch_context& of, const std::string& input);
