// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "transformation.hpp"

#include <ff/optimize.hpp>

namespace ff {

using detail::is_block;
using detail::transformation;

namespace {

// A farm with a single worker, which it owns.
ff_farm farm_around(ff_farm& first, ff_farm& second, ff_node* worker) {
  ff_farm whole = transformation::frame_of(first, second);
  whole.add_workers({worker});
  transformation::own(whole, worker);
  return whole;
}

// Whether each worker can be combined with a copy of the node, or there is none.
bool can_combine(const ff_farm& farm, const detail::prototype& with) {
  if (with.node == nullptr) return true;
  for (const ff_node* const each : farm.getWorkers()) {
    if (is_block(*each) || is_block(*with.node)) {
      error("combine_farms, only a worker that is a node can be combined with a node\n");
      return false;
    }
  }
  if (!with.copy) error("combine_farms, the node can't be copied\n");
  return static_cast<bool>(with.copy);
}

// The workers of a farm, combined with copies of a node, which follow them or come before them.
// Sets whether they are to be deleted.
std::vector<ff_node*> combined(ff_farm& farm, const detail::prototype& with, bool follows, bool& owned) {
  std::vector<ff_node*> workers = transformation::workers_of(farm, owned);
  if (with.node == nullptr) return workers;
  for (ff_node*& each : workers) {
    ff_node* const copy = with.copy();
    each = follows ? new ff_comb(each, copy, owned, true) : new ff_comb(copy, each, true, owned);
  }
  owned = true;
  return workers;
}

// The farm that has an all-to-all as its worker. The nodes between the workers may be null.
ff_farm around_all_to_all(ff_farm& first, const detail::prototype& behind_first, const detail::prototype& before_second,
                          ff_farm& second) {
  if (first.isOFarm() || second.isOFarm() || first.getNWorkers() == 0 || second.getNWorkers() == 0) {
    error("combine_farms, farms that are ordered or have no workers can't become an all-to-all\n");
    return ff_farm();
  }
  if (!can_combine(first, behind_first) || !can_combine(second, before_second)) return ff_farm();
  bool owns_left = false;
  bool owns_right = false;
  const std::vector<ff_node*> left = combined(first, behind_first, true, owns_left);
  const std::vector<ff_node*> right = combined(second, before_second, false, owns_right);
  return farm_around(first, second, transformation::all_to_all(first, second, left, owns_left, right, owns_right));
}

// Both farms, without a collector between them.
ff_pipeline in_a_row(ff_farm& first, ff_farm& second) {
  first.remove_collector();
  ff_pipeline pipe;
  pipe.add_stage(&first);
  pipe.add_stage(&second);
  return pipe;
}

}  // namespace

const ff_farm combine_farms_a2a(ff_farm& farm1, ff_farm& farm2) {
  if (farm1.getCollector() != nullptr || farm2.getEmitter() != nullptr) {
    error(
        "combine_farms_a2a, the first farm has a collector of its own, or the second an emitter; use combine_farms\n");
    return ff_farm();
  }
  return around_all_to_all(farm1, {}, {}, farm2);
}

const ff_farm combine_farms_nf(ff_farm& farm1, ff_farm& farm2) {
  if (farm1.getNWorkers() != farm2.getNWorkers() || farm1.isOFarm() != farm2.isOFarm()) {
    error("combine_farms_nf, the farms must have equally many workers, and both be ordered or none\n");
    return ff_farm();
  }
  for (std::size_t i = 0; i != farm1.getNWorkers(); ++i) {
    ff_node& first = *farm1.getWorkers()[i];
    ff_node& second = *farm2.getWorkers()[i];
    if (is_block(first) || is_block(second) || first.isMultiOutput() || second.isMultiInput()) {
      error("combine_farms_nf, workers must be nodes with one input and one consumer\n");
      return ff_farm();
    }
  }
  ff_farm whole = transformation::frame_of(farm1, farm2);
  bool owns_first = false;
  bool owns_second = false;
  const std::vector<ff_node*> first = transformation::workers_of(farm1, owns_first);
  const std::vector<ff_node*> second = transformation::workers_of(farm2, owns_second);
  std::vector<ff_node*> workers;
  for (std::size_t i = 0; i != first.size(); ++i)
    workers.push_back(new ff_comb(first[i], second[i], owns_first, owns_second));
  whole.add_workers(workers);
  whole.cleanup_workers();
  if (farm1.isOFarm()) whole.set_ordered();
  return whole;
}

const ff_pipeline combine_ofarm_farm(ff_farm& farm1, ff_farm& farm2) {
  if (!farm1.isOFarm()) {
    error("combine_ofarm_farm, the first farm is not ordered\n");
    return ff_pipeline();
  }
  if (farm2.isOFarm() && farm1.getNWorkers() == farm2.getNWorkers()) {
    error("combine_ofarm_farm, for two ordered farms with equally many workers use combine_farms_nf\n");
    return ff_pipeline();
  }
  if (ff_node* const collector = farm1.getCollector();
      collector != nullptr && combine_with_emitter(farm2, collector) < 0)
    return ff_pipeline();
  return in_a_row(farm1, farm2);
}

const ff_pipeline combine_nodes_in_pipeline(ff_node& node1, ff_node& node2, bool cleanup1, bool cleanup2) {
  auto* const farm1 = dynamic_cast<ff_farm*>(&node1);
  auto* const farm2 = dynamic_cast<ff_farm*>(&node2);
  if (node1.isAll2All() || node2.isAll2All()) {
    error("combine_nodes_in_pipeline, an all-to-all can't be combined\n");
    return ff_pipeline();
  }
  ff_pipeline pipe;
  if (farm1 != nullptr && farm2 != nullptr) {
    if (farm1->isOFarm() && farm2->isOFarm() && farm1->getNWorkers() == farm2->getNWorkers()) {
      error("combine_nodes_in_pipeline, for two ordered farms with equally many workers use combine_farms_nf\n");
      return ff_pipeline();
    }
    if (ff_node* const collector = farm1->getCollector();
        collector != nullptr && combine_with_emitter(*farm2, collector) < 0)
      return ff_pipeline();
    farm1->remove_collector();
  } else if (farm2 != nullptr && !node1.isPipe()) {
    if (combine_with_emitter(*farm2, &node1, cleanup1) < 0) return ff_pipeline();
    pipe.add_stage(farm2, cleanup2);
    return pipe;
  } else if (farm1 != nullptr && !node2.isPipe()) {
    const int done = farm1->getCollector() == nullptr ? farm1->add_collector(&node2, cleanup2)
                                                      : combine_with_collector(*farm1, &node2, cleanup2);
    if (done < 0) return ff_pipeline();
    pipe.add_stage(farm1, cleanup1);
    return pipe;
  }
  pipe.add_stage(&node1, cleanup1);
  pipe.add_stage(&node2, cleanup2);
  return pipe;
}

namespace detail {

ff_farm combine_farms_a2a(ff_farm& farm1, const prototype& node, ff_farm& farm2) {
  return around_all_to_all(farm1, node, {}, farm2);
}

ff_pipeline combine_farms(ff_farm& farm1, const prototype& node1, ff_farm& farm2, const prototype& node2, bool merge) {
  const bool any = node1.node != nullptr || node2.node != nullptr;
  const bool ordered = farm1.isOFarm() || farm2.isOFarm();
  const bool as_many = farm1.getNWorkers() == farm2.getNWorkers();
  ff_pipeline pipe;
  if (!merge || (!any && !ordered && !as_many)) {
    ff_farm whole = node1.node != nullptr ? around_all_to_all(farm1, node1, node2, farm2)
                                          : around_all_to_all(farm1, node2, {}, farm2);
    if (whole.getNWorkers() != 0) pipe.add_stage(whole);
    return pipe;
  }
  if (ordered && (any || as_many)) {
    error("combine_farms, ordered farms with equally many workers need combine_farms_nf, and no nodes between them\n");
    return pipe;
  }
  if (ordered) return farm1.isOFarm() ? combine_ofarm_farm(farm1, farm2) : in_a_row(farm1, farm2);
  if (!any) {
    const ff_farm whole = combine_farms_nf(farm1, farm2);
    if (whole.getNWorkers() != 0) pipe.add_stage(whole);
    return pipe;
  }
  if (node1.node == nullptr || node2.node == nullptr) {
    auto* const emitter = const_cast<ff_node*>(node1.node != nullptr ? node1.node : node2.node);
    if (emitter != farm2.getEmitter()) farm2.change_emitter(emitter);
    return in_a_row(farm1, farm2);
  }
  if (node1.node->isMultiOutput() || !node1.copy || !node2.copy) {
    error("combine_farms, node1 has one consumer, and both nodes can be copied\n");
    return pipe;
  }
  farm2.change_emitter(new ff_comb(node1.copy(), node2.copy(), true, true), true);
  return in_a_row(farm1, farm2);
}

}  // namespace detail
}  // namespace ff
