// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "lowering.hpp"
#include "running.hpp"
#include "task.hpp"
#include "transformation.hpp"

#include <ff/all2all.hpp>

#include <algorithm>
#include <utility>

namespace ff {
namespace {

template <class T>
void delete_it(T* what) {
  delete what;
}
template <class T>
void keep_it(T*) {}

// Deletes each node once.
void delete_all(std::vector<ff_node*> nodes) {
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  for (ff_node* const each : nodes) delete each;
}

void replace(svector<ff_node*>& in, ff_node* old, ff_node* other) { std::replace(in.begin(), in.end(), old, other); }

}  // namespace

// ---- pipelines ----

ff_pipeline::ff_pipeline(bool input_ch, int in_buffer_entries, int out_buffer_entries, bool fixed_size)
    : has_input_(input_ch), fixed_size_(fixed_size), in_entries_(in_buffer_entries), out_entries_(out_buffer_entries) {}

// As in FastFlow, the nodes that the other one owns go over to the copy.
ff_pipeline::ff_pipeline(const ff_pipeline& other)
    : ff_node(other),
      stages_(other.stages_),
      owned_(std::move(const_cast<ff_pipeline&>(other).owned_)),
      cleanup_(std::exchange(const_cast<ff_pipeline&>(other).cleanup_, false)),
      has_input_(other.has_input_),
      wraps_around_(other.wraps_around_),
      fixed_size_(other.fixed_size_),
      in_entries_(other.in_entries_),
      out_entries_(other.out_entries_),
      fixed_out_(other.fixed_out_) {}

ff_pipeline::~ff_pipeline() {
  wait();
  std::vector<ff_node*> all = owned_;
  if (cleanup_) all.insert(all.end(), stages_.begin(), stages_.end());
  delete_all(std::move(all));
}

int ff_pipeline::add_stage(ff_node* stage, bool cleanup) {
  if (stage == nullptr) {
    error("PIPE, a stage is null\n");
    return -1;
  }
  stages_.push_back(stage);
  if (cleanup) owned_.push_back(stage);
  return 0;
}

bool ff_pipeline::change_node(ff_node* old, ff_node* other, bool cleanup, bool remove_from_cleanuplist) {
  if (other == nullptr || std::find(stages_.begin(), stages_.end(), old) == stages_.end()) return false;
  detail::transformation::note_owned(*this);
  replace(stages_, old, other);
  if (remove_from_cleanuplist) std::erase(owned_, old);
  if (cleanup) owned_.push_back(other);
  return true;
}

void ff_pipeline::insert_stage(int position, ff_node* stage, bool cleanup) {
  if (position < 0 || static_cast<std::size_t>(position) > stages_.size()) return;
  stages_.insert(stages_.begin() + position, stage);
  if (cleanup) owned_.push_back(stage);
}

void ff_pipeline::remove_stage(int position, bool remove_from_cleanuplist) {
  if (position < 0 || static_cast<std::size_t>(position) >= stages_.size()) return;
  if (remove_from_cleanuplist) std::erase(owned_, stages_[static_cast<std::size_t>(position)]);
  stages_.erase(stages_.begin() + position);
}

int ff_pipeline::get_stageindex(const ff_node* stage) const {
  const auto found = std::find(stages_.begin(), stages_.end(), stage);
  return found != stages_.end() ? static_cast<int>(found - stages_.begin()) : -1;
}
ff_node* ff_pipeline::get_nextstage(const ff_node* stage) const {
  const int index = get_stageindex(stage);
  return index >= 0 ? get_node(static_cast<std::size_t>(index) + 1) : nullptr;
}
ff_node* ff_pipeline::get_prevstage(const ff_node* stage) const {
  const int index = get_stageindex(stage);
  return index > 0 ? get_node(static_cast<std::size_t>(index) - 1) : nullptr;
}

ff_node* ff_pipeline::get_lastnode() const {
  ff_node* last = get_laststage();
  while (const auto* const pipe = dynamic_cast<ff_pipeline*>(last)) last = pipe->get_laststage();
  return last;
}

svector<ff_node*> ff_pipeline::get_pipeline_nodes() const {
  svector<ff_node*> nodes;
  for (ff_node* const each : stages_) {
    const auto* const pipe = dynamic_cast<ff_pipeline*>(each);
    if (pipe != nullptr && !pipe->wraps_around_) {
      nodes += pipe->get_pipeline_nodes();
    } else {
      nodes.push_back(each);
    }
  }
  return nodes;
}

void ff_pipeline::flatten() {
  // The nested pipelines own some of the stages from now on.
  if (std::exchange(cleanup_, false)) owned_.insert(owned_.end(), stages_.begin(), stages_.end());
  stages_ = get_pipeline_nodes();
}

int ff_pipeline::wrap_around() {
  if (stages_.empty()) {
    error("PIPE, wrap_around of a pipeline without stages\n");
    return -1;
  }
  wraps_around_ = true;
  return 0;
}

void ff_pipeline::remove_from_cleanuplist(const svector<ff_node*>& nodes) {
  for (ff_node* const each : nodes) std::erase(owned_, each);
}

int ff_pipeline::cardinality() const { return detail::lowering::threads_of(const_cast<ff_pipeline&>(*this)); }

void ff_pipeline::setXNodeInputQueueLength(int length, bool fixed_size) {
  in_entries_ = length;
  fixed_size_ = fixed_size;
}

void ff_pipeline::setXNodeOutputQueueLength(int length, bool fixed_size) {
  out_entries_ = length;
  fixed_out_ = fixed_size;
}

// ---- farms ----

ff_farm::ff_farm(const std::vector<ff_node*>& workers, ff_node* emitter, ff_node* collector, bool input_ch,
                 bool fixed_size, int buffer_entries)
    : ff_farm(input_ch, buffer_entries, buffer_entries, false, DEF_MAX_NUM_WORKERS, fixed_size) {
  add_workers(workers);
  if (emitter != nullptr) add_emitter(emitter);
  add_collector(collector);
}

ff_farm::ff_farm(bool input_ch, int in_buffer_entries, int out_buffer_entries, bool worker_cleanup,
                 std::size_t max_num_workers, bool fixed_size)
    : lb_(new ff_loadbalancer, delete_it<ff_loadbalancer>),
      gt_(new ff_gatherer, delete_it<ff_gatherer>),
      most_workers_(max_num_workers),
      has_input_(input_ch),
      cleanup_workers_(worker_cleanup),
      fixed_size_(fixed_size),
      in_entries_(in_buffer_entries),
      out_entries_(out_buffer_entries) {
  take_helpers();
}

ff_farm::ff_farm(const ff_farm& other)
    : ff_node(other),
      workers_(other.workers_),
      emitter_(other.emitter_),
      collector_(other.collector_),
      owned_(std::move(const_cast<ff_farm&>(other).owned_)),
      lb_(std::move(const_cast<ff_farm&>(other).lb_)),
      gt_(std::move(const_cast<ff_farm&>(other).gt_)),
      most_workers_(other.most_workers_),
      has_input_(other.has_input_),
      has_collector_(other.has_collector_),
      workers_wrap_(other.workers_wrap_),
      collector_wraps_(other.collector_wraps_),
      ordered_(other.ordered_),
      cleanup_workers_(std::exchange(const_cast<ff_farm&>(other).cleanup_workers_, false)),
      cleanup_emitter_(std::exchange(const_cast<ff_farm&>(other).cleanup_emitter_, false)),
      cleanup_collector_(std::exchange(const_cast<ff_farm&>(other).cleanup_collector_, false)),
      fixed_size_(other.fixed_size_),
      fixed_out_(other.fixed_out_),
      ondemand_(other.ondemand_),
      in_entries_(other.in_entries_),
      out_entries_(other.out_entries_) {
  take_helpers();
}

ff_farm::~ff_farm() {
  wait();
  std::vector<ff_node*> all = owned_;
  if (cleanup_workers_) all.insert(all.end(), workers_.begin(), workers_.end());
  if (cleanup_emitter_ && emitter_ != nullptr) all.push_back(emitter_);
  if (cleanup_collector_ && collector_ != nullptr) all.push_back(collector_);
  delete_all(std::move(all));
}

int ff_farm::add_workers(const std::vector<ff_node*>& workers) {
  if (workers_.size() + workers.size() > most_workers_) {
    error("FARM, try to add too many workers, please increase max_nworkers\n");
    return -1;
  }
  if (workers.empty()) {
    error("FARM, try to add zero workers\n");
    return -1;
  }
  if (std::find(workers.begin(), workers.end(), nullptr) != workers.end()) {
    error("FARM, a worker is null\n");
    return -1;
  }
  for (ff_node* const each : workers) workers_.push_back(each);
  return 0;
}

int ff_farm::add_emitter(ff_node* emitter) {
  if (emitter_ != nullptr) {
    error("FARM, the emitter already exists\n");
    return -1;
  }
  if (emitter != nullptr && (emitter->isPipe() || emitter->isFarm() || emitter->isAll2All())) {
    error("FARM, the emitter can't be a pipeline, a farm or an all-to-all\n");
    return -1;
  }
  place_emitter(emitter);
  return 0;
}

int ff_farm::change_emitter(ff_node* emitter, bool cleanup) {
  if (cleanup_emitter_ && emitter_ != nullptr) owned_.push_back(emitter_);
  emitter_ = nullptr;
  cleanup_emitter_ = false;
  if (cleanup) owned_.push_back(emitter);
  return add_emitter(emitter);
}

int ff_farm::add_collector(ff_node* collector, bool cleanup) {
  if (collector != nullptr && (collector->isPipe() || collector->isFarm() || collector->isAll2All())) {
    error("FARM, the collector can't be a pipeline, a farm or an all-to-all\n");
    return -1;
  }
  if (collector_ != nullptr) {
    error("FARM, the collector already exists\n");
    return -1;
  }
  collector_ = collector;
  has_collector_ = true;
  if (cleanup) owned_.push_back(collector);
  return 0;
}

int ff_farm::remove_collector() {
  if (cleanup_collector_ && collector_ != nullptr) owned_.push_back(collector_);
  collector_ = nullptr;
  has_collector_ = false;
  return 0;
}

int ff_farm::change_workers(const std::vector<ff_node*>& workers) {
  workers_.clear();
  return add_workers(workers);
}

int ff_farm::wrap_around(bool /*several_inputs*/) {
  (hasCollector() ? collector_wraps_ : workers_wrap_) = true;
  return 0;
}

void ff_farm::place_emitter(ff_node* emitter) {
  emitter_ = emitter;
  if (auto* const both = dynamic_cast<ff_comb*>(emitter)) both->hear_each_end();
}

bool ff_farm::change_node(ff_node* old, ff_node* other, bool cleanup, bool remove_from_cleanuplist) {
  if (other == nullptr) return false;
  detail::transformation::note_owned(*this);
  bool found = true;
  if (emitter_ == old) {
    place_emitter(other);
  } else if (collector_ == old) {
    collector_ = other;
  } else {
    found = std::find(workers_.begin(), workers_.end(), old) != workers_.end();
    replace(workers_, old, other);
  }
  if (!found) return false;
  if (remove_from_cleanuplist) std::erase(owned_, old);
  if (cleanup) owned_.push_back(other);
  return true;
}

void ff_farm::setlb(ff_loadbalancer* lb, bool cleanup) {
  lb_ = {lb, cleanup ? delete_it<ff_loadbalancer> : keep_it<ff_loadbalancer>};
  take_helpers();
}

void ff_farm::setgt(ff_gatherer* gt, bool cleanup) {
  gt_ = {gt, cleanup ? delete_it<ff_gatherer> : keep_it<ff_gatherer>};
  take_helpers();
}

void ff_farm::take_helpers() {
  if (lb_ != nullptr) lb_->farm_ = this;
  if (gt_ != nullptr) gt_->farm_ = this;
}

int ff_farm::cardinality() const { return detail::lowering::threads_of(const_cast<ff_farm&>(*this)); }

bool ff_farm::isMultiOutput() const {
  if (hasCollector()) return collector_ != nullptr && collector_->isMultiOutput();
  return true;
}

// ---- all-to-alls ----

ff_a2a::ff_a2a(bool /*reduce_channels*/, int in_buffer_entries, int out_buffer_entries, bool fixed_size)
    : fixed_size_(fixed_size), in_entries_(in_buffer_entries), out_entries_(out_buffer_entries) {}

ff_a2a::ff_a2a(const ff_a2a& other)
    : ff_node(other),
      first_(other.first_),
      second_(other.second_),
      owned_(std::move(const_cast<ff_a2a&>(other).owned_)),
      wraps_around_(other.wraps_around_),
      fixed_size_(other.fixed_size_),
      ondemand_(other.ondemand_),
      in_entries_(other.in_entries_),
      out_entries_(other.out_entries_) {}

ff_a2a::~ff_a2a() {
  wait();
  delete_all(owned_);
}

int ff_a2a::add(svector<ff_node*>& to, const std::vector<ff_node*>& nodes, int ondemand, bool cleanup) {
  if (!to.empty()) {
    error("A2A, add_firstset and add_secondset can be called only once\n");
    return -1;
  }
  if (nodes.empty()) {
    error("A2A, try to add zero nodes\n");
    return -1;
  }
  if (std::find(nodes.begin(), nodes.end(), nullptr) != nodes.end()) {
    error("A2A, a node is null\n");
    return -1;
  }
  for (ff_node* const each : nodes) to.push_back(each);
  if (cleanup) owned_.insert(owned_.end(), nodes.begin(), nodes.end());
  if (ondemand > 0) ondemand_ = ondemand;
  return 0;
}

void ff_a2a::remove_from_cleanuplist(const svector<ff_node*>& nodes) {
  for (ff_node* const each : nodes) std::erase(owned_, each);
}

bool ff_a2a::change_node(ff_node* old, ff_node* other, bool cleanup, bool remove_from_cleanuplist) {
  if (other == nullptr) return false;
  const bool in_first = std::find(first_.begin(), first_.end(), old) != first_.end();
  if (!in_first && std::find(second_.begin(), second_.end(), old) == second_.end()) return false;
  replace(in_first ? first_ : second_, old, other);
  if (remove_from_cleanuplist) std::erase(owned_, old);
  if (cleanup) owned_.push_back(other);
  return true;
}

int ff_a2a::wrap_around() {
  wraps_around_ = true;
  return 0;
}

int ff_a2a::cardinality() const { return detail::lowering::threads_of(const_cast<ff_a2a&>(*this)); }

}  // namespace ff
