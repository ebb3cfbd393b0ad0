// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

// What SLURM tells a process of the job that it belongs to.

/// Whether this process is in an allocation of SLURM.
bool is_in_allocation();

/// The names of the allocation's nodes, in their order; none outside of an allocation.
/// @throws std::runtime_error if SLURM can't be asked
std::vector<std::string> allocated_nodes();

struct allocated_node {
  std::string name;
  std::size_t cores = 1;  ///< of that node, which the job may use
};

/// The same, with their cores.
/// @throws std::runtime_error also if SLURM says nothing of these, or what fits no list of nodes
std::vector<allocated_node> allocated_nodes_with_cores();
