// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_LB_HPP
#define WEIR_FF_LB_HPP

#include <weir/export.hpp>

#include <ff/node.hpp>

namespace ff {

/// Chooses the worker of a farm that gets a task. A class of the user may choose otherwise: it
/// overrides `selectworker`. Emitters that are plain nodes send to a worker through it.
///
/// Only the emitter may use it, while the farm runs. The functions that are `final` can't be
/// overridden, because weir sends and waits by itself.
class WEIR_API ff_loadbalancer {
 public:
  enum { TICKS2WAIT = ff_node::TICKS2WAIT };

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
  /// The worker that the emitter's current task comes from; -1: the farm's input; -2: there is no
  /// task.
  ssize_t get_channel_id() const {
    if (place_ == nullptr) return -1;
    return place_->from_input && place_->input != detail::place::no_input ? -1 : place_->input;
  }
  bool fromInput() const { return place_ == nullptr || place_->from_input; }
  std::size_t getnworkers() const { return place_ != nullptr ? place_->outputs : workers_; }
  std::size_t getNWorkers() const { return getnworkers(); }
  std::size_t get_num_outchannels() const { return getnworkers(); }

  // ---- of the farm that has this load balancer ----

  const svector<ff_node*>& getWorkers() const;
  /// Sets the emitter. @return 0; -1 if there is one, or no farm
  int set_filter(ff_node* emitter);
  ff_node* get_filter() const;

  // ---- workers that rest ----
  //
  // The emitter freezes and thaws single workers, which must be nodes. A frozen worker rests after
  // it has taken `GO_OUT` or `EOSW`: its `svc_end` has been called, and the tasks that come wait
  // for it. When it is thawed, `svc_init` is called again. In a network that `run_then_freeze` has
  // started, all nodes rest in this way. Errors end the run: there is no such worker, or it is in
  // another process.

  /// Makes the worker rest when it takes `GO_OUT` or `EOSW`, in place of ending.
  virtual void freeze(std::size_t worker);
  virtual void freezeWorkers();
  /// Lets the worker go on. @param freeze_again whether it rests the next time, too
  virtual void thaw(std::size_t worker, bool freeze_again);
  /// @param workers the first so many; -1: all @return 0
  virtual int thawWorkers(bool freeze_again = false, ssize_t workers = -1);
  /// Waits until the worker rests. @return 0
  int wait_freezing(std::size_t worker);
  int wait_freezingWorkers();
  /// Makes each worker that rests end when it is thawed.
  void stop();

  /// Gives the emitter another input: the tasks that other threads put into an ff_buffernode. For
  /// the emitter, the input has the number of that node. It ends with `EOS`, or when the emitter
  /// ends. The node must live as long as the farm runs.
  void addManagerChannel(ff_node* channel) { manager_ = channel; }

  // Not for the emitter.

  /// Waits for the end of the farm. @return 0; -1 if it has failed
  int waitlb();
  int wait_lb_freezing();

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
  friend class ff_gatherer;
  friend class ff_monode;

  detail::place* place_ = nullptr;
  ff_farm* farm_ = nullptr;     ///< null: none yet
  ff_node* manager_ = nullptr;  ///< null: none
  std::size_t workers_ = 0;
  std::size_t next_ = static_cast<std::size_t>(-1) - 1;
  ssize_t victim_ = -1;
};

}  // namespace ff

#endif
