// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_GT_HPP
#define WEIR_FF_GT_HPP

#include <weir/export.hpp>

#include <ff/node.hpp>

namespace ff {

/// Tells a collector that is a plain node from which worker its task comes. Only the collector may
/// use it, while the farm runs, but for the functions that are for the emitter. The functions that
/// are `final` can't be overridden, because weir takes from the workers by itself. A collector may
/// override `eosnotify`.
class WEIR_API ff_gatherer {
 public:
  enum { TICKS2WAIT = ff_node::TICKS2WAIT };

  explicit ff_gatherer(std::size_t /*most_workers*/ = DEF_MAX_NUM_WORKERS) {}
  ff_gatherer(const ff_gatherer&) = delete;
  ff_gatherer& operator=(const ff_gatherer&) = delete;
  virtual ~ff_gatherer() = default;

  /// The worker that the current task comes from.
  ssize_t get_channel_id() const { return place_ != nullptr ? place_->input : -1; }
  std::size_t getnworkers() const { return place_ != nullptr ? place_->inputs : 0; }
  std::size_t getrunning() const { return getnworkers(); }
  /// See ff_minode::all_gather.
  virtual bool all_gather(void* task, void** from) { return place_ != nullptr && place_->all_gather(task, from); }

  // ---- of the farm that has this gatherer ----

  const svector<ff_node*>& getWorkers() const;
  /// Sets the collector. @return 0; -1 if there is one, or no farm
  int set_filter(ff_node* collector);
  ff_node* get_filter() const;

  // ---- for the emitter of the farm ----

  /// Makes the collector rest when `EOSW` has come from all workers. The next task lets it go on.
  /// See ff_loadbalancer.
  void freeze();
  /// To be called after `wait_freezing`, and before that task. @return 0
  int thaw(bool freeze_again = false, ssize_t workers = -1);
  /// Waits until the collector rests. @return 0
  int wait_freezing();
  /// Makes a collector that rests not rest again.
  void stop();

  // Not for the nodes of the farm.

  /// Waits for the end of the farm. @return 0; -1 if it has failed
  int wait();

 protected:
  virtual ssize_t selectworker() final { return get_channel_id(); }
  virtual void notifyeos(int /*worker*/) final {}
  virtual void losetime_in(unsigned long /*ticks*/ = ff_node::TICKS2WAIT) final { ff_relax(); }
  virtual void losetime_out(unsigned long /*ticks*/ = ff_node::TICKS2WAIT) final { ff_relax(); }

 private:
  friend class detail::lowering;
  friend class ff_farm;
  friend class ff_minode;

  detail::place* place_ = nullptr;
  ff_farm* farm_ = nullptr;             ///< null: none yet
  std::shared_ptr<detail::rest> rest_;  ///< of the collector; null: it has not run
};

}  // namespace ff

#endif
