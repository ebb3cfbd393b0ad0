// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "transformation.hpp"

#include <algorithm>
#include <typeinfo>
#include <utility>

namespace ff::detail {

void transformation::put_for(ff_pipeline& pipe, std::size_t stage, ff_node* other) {
  pipe.owned_.push_back(other);
  pipe.stages_[stage] = other;
}

void transformation::note_owned(ff_farm& farm) {
  std::vector<ff_node*>& owned = farm.owned_;
  if (std::exchange(farm.cleanup_workers_, false))
    owned.insert(owned.end(), farm.workers_.begin(), farm.workers_.end());
  if (std::exchange(farm.cleanup_emitter_, false) && farm.emitter_ != nullptr) owned.push_back(farm.emitter_);
  if (std::exchange(farm.cleanup_collector_, false) && farm.collector_ != nullptr) owned.push_back(farm.collector_);
}

void transformation::note_owned(ff_pipeline& pipe) {
  if (std::exchange(pipe.cleanup_, false))
    pipe.owned_.insert(pipe.owned_.end(), pipe.stages_.begin(), pipe.stages_.end());
}

bool transformation::has_own_scheduling(const ff_farm& farm) {
  const ff_loadbalancer* const lb = farm.getlb();
  return lb != nullptr && typeid(*lb) != typeid(ff_loadbalancer);
}

ff_farm transformation::frame_of(ff_farm& first, ff_farm& second) {
  note_owned(first);
  note_owned(second);
  ff_farm frame(first.has_input_, first.in_entries_, second.out_entries_, false, DEF_MAX_NUM_WORKERS,
                first.fixed_size_);
  frame.fixed_out_ = second.fixed_out_;
  frame.ondemand_ = first.ondemand_;
  // The emitter and the collector may use the load balancer and the gatherer of their farms.
  frame.lb_ = {first.lb_.get(), std::exchange(first.lb_.get_deleter(), [](ff_loadbalancer*) {})};
  frame.gt_ = {second.gt_.get(), std::exchange(second.gt_.get_deleter(), [](ff_gatherer*) {})};
  frame.take_helpers();
  frame.add_emitter(first.emitter_);
  if (take_from(first.owned_, first.emitter_)) frame.owned_.push_back(first.emitter_);
  if (second.hasCollector()) frame.add_collector(second.collector_);
  if (take_from(second.owned_, second.collector_)) frame.owned_.push_back(second.collector_);
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
  note_owned(farm);
  const auto is_owned = [&](ff_node* each) {
    return std::find(farm.owned_.begin(), farm.owned_.end(), each) != farm.owned_.end();
  };
  owned = std::all_of(farm.workers_.begin(), farm.workers_.end(), is_owned);
  if (owned) {
    for (ff_node* const each : farm.workers_) take_from(farm.owned_, each);
  }
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
    note_owned(*pipe);
    return combine_one(part, pipe->owned_, nodes, at_the_end);
  }
  if (auto* const both = dynamic_cast<ff_a2a*>(&block))
    return combine_each(at_the_end ? both->second_ : both->first_, both->owned_, nodes, at_the_end);
  auto& farm = dynamic_cast<ff_farm&>(block);
  note_owned(farm);
  if (at_the_end && !farm.hasCollector()) return combine_each(farm.workers_, farm.owned_, nodes, true);
  if (at_the_end && farm.collector_ == nullptr) {
    error("a node can't be combined with the collector that a farm has by default; use add_collector\n");
    return -1;
  }
  if (at_the_end) return combine_one(farm.collector_, farm.owned_, nodes, true);
  ff_node* emitter = farm.emitter_;
  if (emitter == nullptr) {
    emitter = nodes.next();
    if (emitter == nullptr) return -1;
    if (nodes.owned()) farm.owned_.push_back(emitter);
  } else if (combine_one(emitter, farm.owned_, nodes, false) < 0) {
    return -1;
  }
  farm.emitter_ = nullptr;
  return farm.add_emitter(emitter);
}

int transformation::combine_each(svector<ff_node*>& parts, std::vector<ff_node*>& owned, supply& nodes,
                                 bool at_the_end) {
  for (ff_node*& each : parts) {
    if (combine_one(each, owned, nodes, at_the_end) < 0) return -1;
  }
  if (!parts.empty()) return 0;
  error("a node can't be combined with a block without nodes\n");
  return -1;
}

int transformation::combine_one(ff_node*& part, std::vector<ff_node*>& owned, supply& nodes, bool at_the_end) {
  if (part->isPipe() || part->isFarm() || part->isAll2All()) return combine(*part, nodes, at_the_end);
  ff_node* const node = nodes.next();
  if (node == nullptr) return -1;
  const bool owns_part = take_from(owned, part);
  part = at_the_end ? new ff_comb(part, node, owns_part, nodes.owned())
                    : new ff_comb(node, part, nodes.owned(), owns_part);
  owned.push_back(part);
  return 0;
}

}  // namespace ff::detail
