// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_LB_HPP
#define WEIR_FF_LB_HPP

#include <ff/node.hpp>

namespace ff {

/// Chooses the worker of a farm that gets a task. A class of the user may choose otherwise: it
/// overrides `selectworker`. Emitters that are plain nodes send to a worker through it.
///
/// Only the emitter may use it, while the farm runs. The functions that are `final` can't be
/// overridden, because weir sends and waits by itself.
class ff_loadbalancer {
 public:
  explicit ff_loadbalancer(std::size_t /*most_workers*/ = DEF_MAX_NUM_WORKERS) {}
  ff_loadbalancer(const ff_loadbalancer&) = delete;
  ff_loadbalancer& operator=(const ff_loadbalancer&) = delete;
  virtual ~ff_loadbalancer() = default;

  virtual bool ff_send_out_to(void* task, int id, unsigned long retry = static_cast<unsigned long>(-1),
                              unsigned long /*ticks*/ = ff_node::TICKS2WAIT) {
    return place_ != nullptr && place_->send(task, id, retry);
  }
  virtual void broadcast_task(void* task) {
    if (place_ != nullptr) place_->broadcast(task);
  }
  /// The worker that the emitter's current task comes from; -1: the farm's input.
  ssize_t get_channel_id() const { return place_ == nullptr || place_->from_input ? -1 : place_->input; }
  bool fromInput() const { return place_ == nullptr || place_->from_input; }
  std::size_t getnworkers() const { return place_ != nullptr ? place_->outputs : workers_; }
  std::size_t getNWorkers() const { return getnworkers(); }
  std::size_t get_num_outchannels() const { return getnworkers(); }

  // ---- of the farm that has this load balancer ----

  const svector<ff_node*>& getWorkers() const;
  /// Sets the emitter. @return 0; -1 if there is one, or no farm
  int set_filter(ff_node* emitter);
  ff_node* get_filter() const;

  // These fail: the run with an exception, or, if the farm doesn't run, with -1. In FastFlow the
  // emitter freezes workers while the others go on.
  virtual int thawWorkers(bool freeze_again = false, ssize_t workers = -1);
  virtual void freezeWorkers();
  int wait_freezingWorkers();
  int wait_lb_freezing();
  int wait_freezing(std::size_t worker);
  int waitlb();
  virtual void freeze(std::size_t worker);
  virtual void thaw(std::size_t worker, bool freeze_again);
  void stop();
  /// A farm with such a channel doesn't run. Send to the emitter through the network.
  void addManagerChannel(ff_node* channel) { has_manager_ = has_manager_ || channel != nullptr; }

  /// The system's number of the thread that has begun the worker's last run.
  int getTid(ff_node* worker) const { return static_cast<int>(worker->getTid()); }

  /// Uses this worker for the next task that is sent without a number.
  void set_victim(std::size_t worker) { victim_ = static_cast<ssize_t>(worker); }

 protected:
  /// Returns the worker that gets the next task.
  virtual std::size_t selectworker() {
    const std::size_t width = getnworkers();
    return next_ = next_ + 1 < width ? next_ + 1 : 0;
  }
  /// Sends a task to the worker that is chosen.
  virtual bool schedule_task(void* task, unsigned long retry = static_cast<unsigned long>(-1),
                             unsigned long /*ticks*/ = 0) final {
    return place_ != nullptr && place_->send(task, -1, retry);
  }
  virtual void losetime_in(unsigned long /*ticks*/ = ff_node::TICKS2WAIT) final { ff_relax(); }
  virtual void losetime_out(unsigned long /*ticks*/ = ff_node::TICKS2WAIT) final { ff_relax(); }

 private:
  friend class detail::lowering;
  friend class ff_farm;

  int refuse(const char* what) const;

  detail::place* place_ = nullptr;
  ff_farm* farm_ = nullptr;  ///< null: none yet
  bool has_manager_ = false;
  std::size_t workers_ = 0;
  std::size_t next_ = static_cast<std::size_t>(-1) - 1;
  ssize_t victim_ = -1;
};

}  // namespace ff

#endif
