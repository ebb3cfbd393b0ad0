// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "live_connection.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

/// Shows what a program does on the terminal until it ends or `q` is pressed, and then, if it has
/// ended, its last figures.
/// @throws interrupted if we were asked to end; std::runtime_error if there is no terminal, or the
/// program can't be watched
void watch(std::unique_ptr<live_connection> connection, std::chrono::milliseconds interval);

/// Runs a program, shows what it does on the terminal, and returns its exit code (128 + n if signal
/// n ended it). What it writes to the terminal is shown after the view.
/// @throws as above: `interrupted` when the program has ended, the rest before it is started, but
/// for a terminal that goes away; then the program goes on
int watch_program(const std::vector<std::string>& program, std::chrono::milliseconds interval);
