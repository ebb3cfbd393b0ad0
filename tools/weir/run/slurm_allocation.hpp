// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

// Facts that SLURM gives to a process about the job that the process belongs to.

/// Whether this process is in an allocation of SLURM.
bool is_in_allocation();

/// Returns the names of the allocation's nodes, in their order; none outside of an allocation.
/// @throws std::runtime_error if SLURM can't be asked
std::vector<std::string> allocated_nodes();

struct allocated_node {
  std::string name;
  std::size_t cores = 1;  ///< cores of the node that the job may use
};

/// Returns the allocated nodes with their cores.
/// @throws std::runtime_error also if SLURM does not report the cores, or reports a malformed list
std::vector<allocated_node> allocated_nodes_with_cores();
