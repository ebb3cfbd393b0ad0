// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "live_connection.hpp"

#include <memory>
#include <string>
#include <vector>

/// The sockets `<process id>.sock` in a folder, and in the folders in it, in the order of their
/// names.
std::vector<std::string> sockets_in(const std::string& folder);

/// A connection to the program that `who` names: a process id, a socket, or nothing for the only
/// program of this user that can be watched.
/// @throws std::runtime_error that says why there is none
std::unique_ptr<live_connection> connect_to(const std::string& who);
