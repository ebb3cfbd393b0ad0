// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <ff/farm.hpp>

#include <stdexcept>
#include <string>

// The load balancers and the gatherers of farms.

namespace ff {
namespace {

const svector<ff_node*> nothing;

// A program that freezes workers counts on it, so that the run can't go on.
int refuse_to_freeze(bool runs, const std::string& what) {
  const std::string why = what + ": the nodes of a farm can't be frozen one by one; freeze the farm, and thaw it";
  if (runs) throw std::logic_error(why);
  error("%s\n", why.c_str());
  return -1;
}

}  // namespace

const svector<ff_node*>& ff_loadbalancer::getWorkers() const {
  return farm_ != nullptr ? farm_->getWorkers() : nothing;
}
int ff_loadbalancer::set_filter(ff_node* emitter) { return farm_ != nullptr ? farm_->add_emitter(emitter) : -1; }
ff_node* ff_loadbalancer::get_filter() const { return farm_ != nullptr ? farm_->getEmitter() : nullptr; }

int ff_loadbalancer::refuse(const char* what) const {
  return refuse_to_freeze(place_ != nullptr, std::string("ff_loadbalancer::") + what);
}
int ff_loadbalancer::thawWorkers(bool, ssize_t) { return refuse("thawWorkers"); }
void ff_loadbalancer::freezeWorkers() { refuse("freezeWorkers"); }
int ff_loadbalancer::wait_freezingWorkers() { return refuse("wait_freezingWorkers"); }
int ff_loadbalancer::wait_freezing(std::size_t) { return refuse("wait_freezing"); }
int ff_loadbalancer::waitlb() { return refuse("waitlb"); }
int ff_loadbalancer::wait_lb_freezing() { return refuse("wait_lb_freezing"); }
void ff_loadbalancer::freeze(std::size_t) { refuse("freeze"); }
void ff_loadbalancer::thaw(std::size_t, bool) { refuse("thaw"); }
void ff_loadbalancer::stop() { refuse("stop"); }

const svector<ff_node*>& ff_gatherer::getWorkers() const { return farm_ != nullptr ? farm_->getWorkers() : nothing; }
int ff_gatherer::set_filter(ff_node* collector) { return farm_ != nullptr ? farm_->add_collector(collector) : -1; }
ff_node* ff_gatherer::get_filter() const { return farm_ != nullptr ? farm_->getCollector() : nullptr; }

int ff_gatherer::refuse(const char* what) const {
  return refuse_to_freeze(place_ != nullptr, std::string("ff_gatherer::") + what);
}
int ff_gatherer::thaw(bool, ssize_t) { return refuse("thaw"); }
void ff_gatherer::freeze() { refuse("freeze"); }
int ff_gatherer::wait() { return refuse("wait"); }
int ff_gatherer::wait_freezing() { return refuse("wait_freezing"); }
void ff_gatherer::stop() { refuse("stop"); }

}  // namespace ff
