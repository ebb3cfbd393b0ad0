// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/passes/processors.hpp"

#include "graph/variables.hpp"

#include <hwloc.h>
#include <sched.h>

#include <algorithm>
#include <memory>

namespace weir::detail {
namespace {

using loaded_topology = std::unique_ptr<hwloc_topology, void (*)(hwloc_topology_t)>;

// Returns the topology of this machine; null if it is not to be had.
loaded_topology load_topology() {
  hwloc_topology_t topology = nullptr;
  // hwloc loads plugins from directories named in environment variables, which any user may have
  // set.
  if (has_rights_of_its_own() || hwloc_topology_init(&topology) != 0) return {nullptr, hwloc_topology_destroy};
  loaded_topology owned(topology, hwloc_topology_destroy);
  if (hwloc_topology_load(topology) != 0) owned.reset();
  return owned;
}

// Returns whether the calling thread may run on the processor. hwloc leaves out processors that the
// system forbids, but not those that an affinity mask excludes.
bool allowed(unsigned processor) noexcept {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  return sched_getaffinity(0, sizeof mask, &mask) != 0 || CPU_ISSET(processor, &mask);
}

std::size_t number_of(hwloc_topology_t topology, hwloc_obj_type_t what) {
  return static_cast<std::size_t>(std::max(hwloc_get_nbobjs_by_type(topology, what), 1));
}

}  // namespace

std::vector<int> choose_processors(std::size_t count) {
  const loaded_topology topology = load_topology();
  if (topology == nullptr) return {};
  std::vector<int> chosen;  // first the first one of each core
  std::vector<int> others;
  const bool real = hwloc_topology_is_thissystem(topology.get()) != 0;
  hwloc_obj_t last_core = nullptr;
  for (hwloc_obj_t unit = nullptr;
       (unit = hwloc_get_next_obj_by_type(topology.get(), HWLOC_OBJ_PU, unit)) != nullptr;) {
    if (real && !allowed(unit->os_index)) continue;
    hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology.get(), HWLOC_OBJ_CORE, unit);
    const bool first = core == nullptr || core != last_core;
    last_core = core;
    (first ? chosen : others).push_back(static_cast<int>(unit->os_index));
  }
  chosen.insert(chosen.end(), others.begin(), others.end());
  if (chosen.size() > count) chosen.resize(count);
  return chosen;
}

machine_size size_of_machine() {
  const loaded_topology topology = load_topology();
  if (topology == nullptr) return {};
  return {number_of(topology.get(), HWLOC_OBJ_CORE), number_of(topology.get(), HWLOC_OBJ_PACKAGE)};
}

}  // namespace weir::detail
