// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// Writes the text to standard error, as long as it is read: no signal could end this process if a
/// write waited for ever while signals are held.
void tell(std::string_view text);

/// Writes a line of `weir run` in the same way.
void tell_problem(std::string_view message);
