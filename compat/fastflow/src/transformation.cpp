// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "transformation.hpp"

#include <typeinfo>
#include <utility>

namespace ff::detail {

void transformation::put_for(ff_pipeline& pipe, std::size_t stage, ff_node* other) {
  pipe.owned_.push_back(other);
  pipe.stages_[stage] = other;
}

bool transformation::has_own_scheduling(const ff_farm& farm) {
  const ff_loadbalancer* const lb = farm.getlb();
  return lb != nullptr && typeid(*lb) != typeid(ff_loadbalancer);
}

ff_farm transformation::frame_of(ff_farm& first, ff_farm& second) {
  ff_farm frame(first.has_input_, first.in_entries_, second.out_entries_, false, DEF_MAX_NUM_WORKERS,
                first.fixed_size_);
  frame.fixed_out_ = second.fixed_out_;
  frame.ondemand_ = first.ondemand_;
  // The emitter and the collector may use the load balancer and the gatherer of their farms.
  frame.lb_ = {first.lb_.get(), std::exchange(first.lb_.get_deleter(), [](ff_loadbalancer*) {})};
  frame.gt_ = {second.gt_.get(), std::exchange(second.gt_.get_deleter(), [](ff_gatherer*) {})};
  frame.take_helpers();
  frame.add_emitter(first.emitter_);
  frame.cleanup_emitter_ = std::exchange(first.cleanup_emitter_, false);
  if (second.hasCollector()) frame.add_collector(second.collector_);
  frame.cleanup_collector_ = std::exchange(second.cleanup_collector_, false);
  return frame;
}

ff_a2a* transformation::all_to_all(ff_farm& first, ff_farm& second, const std::vector<ff_node*>& left, bool owns_left,
                                   const std::vector<ff_node*>& right, bool owns_right) {
  auto* const both = new ff_a2a(false, second.in_entries_, first.out_entries_, second.fixed_size_);
  both->add_firstset(left, second.ondemand_, owns_left);
  both->add_secondset(right, owns_right);
  return both;
}

std::vector<ff_node*> transformation::workers_of(ff_farm& farm, bool& owned) {
  owned = std::exchange(farm.cleanup_workers_, false);
  return farm.workers_.elements();
}

ff_node* transformation::supply::next() {
  if (!std::exchange(used_, true)) return node_;
  if (!copy_) {
    error("the node to combine is needed several times, but can't be copied\n");
    return nullptr;
  }
  owned_ = true;
  return copy_();
}

int transformation::combine(ff_node& block, supply& nodes, bool at_the_end) {
  if (auto* const pipe = dynamic_cast<ff_pipeline*>(&block)) {
    if (pipe->stages_.empty()) {
      error("a node can't be combined with a pipeline without stages\n");
      return -1;
    }
    ff_node*& part = at_the_end ? pipe->stages_.back() : pipe->stages_.front();
    return combine_one(part, pipe->owned_, pipe->cleanup_, nodes, at_the_end);
  }
  if (auto* const both = dynamic_cast<ff_a2a*>(&block))
    return combine_each(at_the_end ? both->second_ : both->first_, both->owned_, false, nodes, at_the_end);
  auto& farm = dynamic_cast<ff_farm&>(block);
  if (at_the_end && !farm.hasCollector())
    return combine_each(farm.workers_, farm.owned_, farm.cleanup_workers_, nodes, true);
  if (at_the_end && farm.collector_ == nullptr) {
    error("a node can't be combined with the collector that a farm has by default; use add_collector\n");
    return -1;
  }
  if (at_the_end) return combine_one(farm.collector_, farm.owned_, farm.cleanup_collector_, nodes, true);
  ff_node* emitter = farm.emitter_;
  if (emitter == nullptr) {
    emitter = nodes.next();
    if (emitter == nullptr) return -1;
    if (nodes.owned()) farm.owned_.push_back(emitter);
  } else if (combine_one(emitter, farm.owned_, farm.cleanup_emitter_, nodes, false) < 0) {
    return -1;
  }
  farm.emitter_ = nullptr;
  return farm.add_emitter(emitter);
}

int transformation::combine_each(svector<ff_node*>& parts, std::vector<ff_node*>& owned, bool owns_parts, supply& nodes,
                                 bool at_the_end) {
  for (ff_node*& each : parts) {
    if (combine_one(each, owned, owns_parts, nodes, at_the_end) < 0) return -1;
  }
  if (!parts.empty()) return 0;
  error("a node can't be combined with a block without nodes\n");
  return -1;
}

int transformation::combine_one(ff_node*& part, std::vector<ff_node*>& owned, bool owns_part, supply& nodes,
                                bool at_the_end) {
  if (part->isPipe() || part->isFarm() || part->isAll2All()) return combine(*part, nodes, at_the_end);
  ff_node* const node = nodes.next();
  if (node == nullptr) return -1;
  if (owns_part) owned.push_back(part);
  ff_node* const first = at_the_end ? part : node;
  ff_node* const last = at_the_end ? node : part;
  part = new ff_comb(first, last, !at_the_end && nodes.owned(), at_the_end && nodes.owned());
  owned.push_back(part);
  return 0;
}

}  // namespace ff::detail
