// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/export.hpp"

#include <cstddef>
#include <vector>

namespace weir::detail {

/// Returns up to `count` processors that this process may use, by the operating system's number.
/// Each is on a core of its own while there are unused cores, and neighbours are close to each
/// other (hwloc; in a build without hwloc, by package and core as Linux numbers them). Returns
/// fewer if there are fewer.
std::vector<int> choose_processors(std::size_t count);

struct machine_size {
  std::size_t cores = 1;
  std::size_t packages = 1;
};
/// Counts the cores and the packages (sockets) of this machine, at least one of each.
WEIR_API machine_size size_of_machine();

}  // namespace weir::detail
