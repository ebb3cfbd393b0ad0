// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "top/live_connection.hpp"

#include <memory>
#include <string>
#include <vector>

/// Returns the sockets `<process id>.sock` in a folder and its direct subfolders, ordered by name.
std::vector<std::string> sockets_in(const std::string& folder);

/// Connects to the program that `who` names: a process id, a socket, or an empty string for the
/// only program of this user that can be watched.
/// @throws std::runtime_error that says why the connection failed
std::unique_ptr<live_connection> connect_to(const std::string& who);
