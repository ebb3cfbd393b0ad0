// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <ff/graph_utils.hpp>

namespace ff {
namespace {

const svector<ff_node*> nothing;

// The innermost block among the parts, or `whole`, if the node is one of them.
ff_node* find_in(const svector<ff_node*>& parts, ff_node* node, ff_node* whole) {
  for (ff_node* const each : parts) {
    if (each == nullptr) continue;
    if (ff_node* const found = getBB(each, node)) return found == node ? whole : found;
  }
  return nullptr;
}

}  // namespace

bool isfarm_withcollector(ff_node* block) {
  const auto* const farm = dynamic_cast<ff_farm*>(block);
  return farm != nullptr && farm->hasCollector();
}

bool isfarm_multimultioutput(ff_node* block) {
  const auto* const farm = dynamic_cast<ff_farm*>(block);
  return farm != nullptr && !farm->hasCollector() && farm->getNWorkers() != 0 &&
         farm->getWorkers().front()->isMultiOutput();
}

const svector<ff_node*>& isfarm_getworkers(ff_node* block) {
  const auto* const farm = dynamic_cast<ff_farm*>(block);
  return farm != nullptr ? farm->getWorkers() : nothing;
}

const svector<ff_node*>& isa2a_getfirstset(ff_node* block) {
  const auto* const both = dynamic_cast<ff_a2a*>(block);
  return both != nullptr ? both->getFirstSet() : nothing;
}

const svector<ff_node*>& isa2a_getsecondset(ff_node* block) {
  const auto* const both = dynamic_cast<ff_a2a*>(block);
  return both != nullptr ? both->getSecondSet() : nothing;
}

ff_node* ispipe_getlast(ff_node* block) {
  const auto* const pipe = dynamic_cast<ff_pipeline*>(block);
  return pipe != nullptr ? pipe->get_lastnode() : nullptr;
}

ff_node* getBB(ff_node* start, ff_node* node) {
  if (start == node) return node;
  if (const auto* const pipe = dynamic_cast<ff_pipeline*>(start)) return find_in(pipe->getStages(), node, start);
  if (const auto* const both = dynamic_cast<ff_a2a*>(start)) {
    ff_node* const found = find_in(both->getFirstSet(), node, start);
    return found != nullptr ? found : find_in(both->getSecondSet(), node, start);
  }
  if (const auto* const farm = dynamic_cast<ff_farm*>(start)) {
    ff_node* const found = find_in({farm->getEmitter(), farm->getCollector()}, node, start);
    return found != nullptr ? found : find_in(farm->getWorkers(), node, start);
  }
  if (const auto* const both = dynamic_cast<ff_comb*>(start))
    return find_in({both->getLeft(), both->getRight()}, node, start);
  return nullptr;
}

}  // namespace ff
