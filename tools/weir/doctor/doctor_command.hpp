// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/command_line.hpp"

struct doctor_options {
  bool json = false;
};

/// Adds the command to `of`; parsing stores its options in `into`.
weir::support::command add_doctor_command(weir::support::command& of, doctor_options& into);

/// Looks at the machine, and prints what it finds.
void examine(const doctor_options& options);
