// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/passes/place.hpp"

#include "graph/variables.hpp"

#include <hwloc.h>
#include <sched.h>

namespace weir::detail {
namespace {

// Returns whether the calling thread may run on the processor. hwloc leaves out processors that the
// system forbids, but not those that an affinity mask excludes.
bool allowed(unsigned processor) noexcept {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  return sched_getaffinity(0, sizeof mask, &mask) != 0 || CPU_ISSET(processor, &mask);
}

}  // namespace

std::vector<int> choose_processors(std::size_t count) {
  std::vector<int> first_of_core;
  std::vector<int> others;
  hwloc_topology_t topology;
  // hwloc loads plugins from directories named in environment variables, which any user may have
  // set.
  if (has_rights_of_its_own()) return {};
  if (hwloc_topology_init(&topology) != 0) return {};
  if (hwloc_topology_load(topology) == 0) {
    const bool real = hwloc_topology_is_thissystem(topology) != 0;
    hwloc_obj_t last_core = nullptr;
    for (hwloc_obj_t unit = nullptr; (unit = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, unit)) != nullptr;) {
      if (real && !allowed(unit->os_index)) continue;
      hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, unit);
      const bool first = core == nullptr || core != last_core;
      last_core = core;
      (first ? first_of_core : others).push_back(static_cast<int>(unit->os_index));
    }
  }
  hwloc_topology_destroy(topology);
  std::vector<int> chosen = std::move(first_of_core);
  chosen.insert(chosen.end(), others.begin(), others.end());
  if (chosen.size() > count) chosen.resize(count);
  return chosen;
}

void place(graph& g) {
  const std::vector<int> processors = choose_processors(g.nodes().size());
  if (processors.size() < g.nodes().size()) return;
  for (std::size_t i = 0; i != g.nodes().size(); ++i) g.nodes()[i].core = processors[i];
}

}  // namespace weir::detail
