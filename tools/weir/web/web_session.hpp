// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "top/top_command.hpp"

/// Serves a page that shows what a program does, until the program ends, and prints the page's
/// address on standard error. A program that it has started has the terminal meanwhile.
/// @return the exit code: that of a program which it has started (128 + n if signal n ended it).
/// @throws interrupted if a signal asked this process to end; std::runtime_error if the address
/// can't be used, or the program can't be started or watched
int serve_page(const top_options& options);
