// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/graph/graph.hpp"

namespace ff::detail {

/// Whether the process was asked to write configurations in place of running networks.
bool only_writes_configurations() noexcept;

/// Writes a configuration for a network: its groups, each at a port of this machine.
/// @throws std::runtime_error if the file can't be written
void write_configuration(const weir::graph& of);

/// Whether this thread has written the beginning of a line to `ff::cout`, which is kept.
extern constinit thread_local bool has_begun_line;
void write_begun_line();

/// Prints the nodes of this group, if the process was asked to.
void print_group(const weir::graph& of);

}  // namespace ff::detail
