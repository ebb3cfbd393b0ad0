// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "top/live_connection.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

/// Shows on the terminal what a program does, until the program ends or `q` is pressed. If the
/// program has ended, its last figures are printed.
/// @throws interrupted if a signal asked this process to end; std::runtime_error if there is no
/// terminal, or the program can't be watched
void watch(std::unique_ptr<live_connection> connection, std::chrono::milliseconds interval);

/// Runs a program, shows on the terminal what the program does, and returns its exit code (128 + n
/// if signal n ended it). Its output to the terminal is shown after the view.
/// @throws interrupted when the program has ended; std::runtime_error before the program is
/// started, except if the terminal goes away later, after which the program goes on
int watch_program(const std::vector<std::string>& program, std::chrono::milliseconds interval);
