// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "queues.hpp"

#include <ff/farm.hpp>

#include <stdexcept>
#include <string>

// The load balancers and the gatherers of farms.

namespace ff {
namespace {

const svector<ff_node*> nothing;

// Only a node that runs can freeze others.
int refuse(const char* what) {
  error("%s: only the emitter can freeze and thaw others, while the farm runs\n", what);
  return -1;
}

}  // namespace

// ---- load balancers ----

const svector<ff_node*>& ff_loadbalancer::getWorkers() const {
  return farm_ != nullptr ? farm_->getWorkers() : nothing;
}
int ff_loadbalancer::set_filter(ff_node* emitter) { return farm_ != nullptr ? farm_->add_emitter(emitter) : -1; }
ff_node* ff_loadbalancer::get_filter() const { return farm_ != nullptr ? farm_->getEmitter() : nullptr; }

void ff_loadbalancer::freeze(std::size_t worker) {
  if (place_ == nullptr) {
    refuse("ff_loadbalancer::freeze");
    return;
  }
  place_->rest_of(worker).freezes.store(true, std::memory_order_relaxed);
}
void ff_loadbalancer::freezeWorkers() {
  if (place_ == nullptr) refuse("ff_loadbalancer::freezeWorkers");
  for (std::size_t i = 0; place_ != nullptr && i != place_->outputs; ++i) freeze(i);
}
void ff_loadbalancer::thaw(std::size_t worker, bool freeze_again) {
  if (place_ == nullptr) {
    refuse("ff_loadbalancer::thaw");
    return;
  }
  detail::rest& of = place_->rest_of(worker);
  of.freezes.store(freeze_again, std::memory_order_relaxed);
  const detail::thaw_order order(of.words.load(std::memory_order_relaxed), of.stops.load(std::memory_order_relaxed));
  ++of.thaws;
  of.orders.push(order.as_task());
}
int ff_loadbalancer::thawWorkers(bool freeze_again, ssize_t workers) {
  if (place_ == nullptr) return refuse("ff_loadbalancer::thawWorkers");
  const std::size_t number = workers < 0 ? place_->outputs : static_cast<std::size_t>(workers);
  for (std::size_t i = 0; i != number; ++i) thaw(i, freeze_again);
  return 0;
}
int ff_loadbalancer::wait_freezing(std::size_t worker) {
  if (place_ == nullptr) return refuse("ff_loadbalancer::wait_freezing");
  const detail::rest& of = place_->rest_of(worker);
  if (of.words.load(std::memory_order_relaxed) != 0 || !of.freezes.load(std::memory_order_relaxed))
    place_->wait_for(of);
  return 0;
}
int ff_loadbalancer::wait_freezingWorkers() {
  if (place_ == nullptr) return refuse("ff_loadbalancer::wait_freezingWorkers");
  for (std::size_t i = 0; i != place_->outputs; ++i) wait_freezing(i);
  return 0;
}
void ff_loadbalancer::stop() {
  if (place_ == nullptr) refuse("ff_loadbalancer::stop");
  for (std::size_t i = 0; place_ != nullptr && i != place_->outputs; ++i)
    place_->rest_of(i).stops.store(true, std::memory_order_relaxed);
}

int ff_loadbalancer::waitlb() { return farm_ != nullptr ? farm_->wait() : -1; }
int ff_loadbalancer::wait_lb_freezing() { return farm_ != nullptr ? farm_->wait_freezing() : -1; }

// ---- gatherers ----

const svector<ff_node*>& ff_gatherer::getWorkers() const { return farm_ != nullptr ? farm_->getWorkers() : nothing; }
int ff_gatherer::set_filter(ff_node* collector) { return farm_ != nullptr ? farm_->add_collector(collector) : -1; }
ff_node* ff_gatherer::get_filter() const { return farm_ != nullptr ? farm_->getCollector() : nullptr; }

void ff_gatherer::freeze() {
  if (rest_ == nullptr) {
    refuse("ff_gatherer::freeze");
    return;
  }
  rest_->freezes.store(true, std::memory_order_relaxed);
}
int ff_gatherer::thaw(bool freeze_again, ssize_t) {
  if (rest_ == nullptr) return refuse("ff_gatherer::thaw");
  ++rest_->thaws;
  rest_->freezes.store(freeze_again, std::memory_order_relaxed);
  return 0;
}
int ff_gatherer::wait_freezing() {
  detail::place* const emitter = farm_ != nullptr ? farm_->getlb()->place_ : nullptr;
  if (emitter == nullptr || rest_ == nullptr) return refuse("ff_gatherer::wait_freezing");
  emitter->wait_for(*rest_);
  return 0;
}
void ff_gatherer::stop() {
  if (rest_ == nullptr) {
    refuse("ff_gatherer::stop");
    return;
  }
  rest_->freezes.store(false, std::memory_order_relaxed);
}
int ff_gatherer::wait() { return farm_ != nullptr ? farm_->wait() : -1; }

// ---- those of nodes ----

ff_loadbalancer* ff_monode::getlb() const {
  if (place_ != nullptr && place_->farm_lb != nullptr) return place_->farm_lb;
  if (lb_ == nullptr) {
    lb_ = std::make_unique<ff_loadbalancer>();
    lb_->place_ = place_;
    lb_->workers_ = get_num_outchannels();
  }
  return lb_.get();
}
ff_gatherer* ff_minode::getgt() const {
  if (place_ != nullptr && place_->farm_gt != nullptr) return place_->farm_gt;
  if (gt_ == nullptr) {
    gt_ = std::make_unique<ff_gatherer>();
    gt_->place_ = place_;
  }
  return gt_.get();
}

}  // namespace ff
