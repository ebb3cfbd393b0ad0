// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/started_groups.hpp"

#include <string>

/// Starts a process for each group, here or through the command that leads to its host.
/// @param input the group that gets our standard input
/// @throws std::exception if a process can't be started; no process then runs
std::unique_ptr<started_groups> start_processes(launch_context& of, const std::string& input);
