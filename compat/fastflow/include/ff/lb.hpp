// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_LB_HPP
#define WEIR_FF_LB_HPP

#include <ff/node.hpp>

namespace ff {

/// Chooses the worker of a farm that gets a task. A class of the user may choose otherwise: it
/// overrides `selectworker`. Emitters that are plain nodes send to a worker through it.
///
/// Only the emitter may use it, while the farm runs.
class ff_loadbalancer {
 public:
  explicit ff_loadbalancer(std::size_t /*most_workers*/ = DEF_MAX_NUM_WORKERS) {}
  ff_loadbalancer(const ff_loadbalancer&) = delete;
  ff_loadbalancer& operator=(const ff_loadbalancer&) = delete;
  virtual ~ff_loadbalancer() = default;

  bool ff_send_out_to(void* task, int id, unsigned long retry = static_cast<unsigned long>(-1),
                      unsigned long /*ticks*/ = ff_node::TICKS2WAIT) {
    return place_ != nullptr && place_->send(task, id, retry);
  }
  void broadcast_task(void* task) {
    if (place_ != nullptr) place_->broadcast(task);
  }
  /// The worker that the emitter's current task comes from; -1: the farm's input.
  ssize_t get_channel_id() const { return place_ == nullptr || place_->from_input ? -1 : place_->input; }
  bool fromInput() const { return place_ == nullptr || place_->from_input; }
  std::size_t getnworkers() const { return place_ != nullptr ? place_->outputs : workers_; }
  std::size_t getNWorkers() const { return getnworkers(); }
  std::size_t get_num_outchannels() const { return getnworkers(); }

  /// Uses this worker for the next task that is sent without a number.
  void set_victim(std::size_t worker) { victim_ = static_cast<ssize_t>(worker); }

 protected:
  /// Returns the worker that gets the next task.
  virtual std::size_t selectworker() {
    const std::size_t width = getnworkers();
    return next_ = next_ + 1 < width ? next_ + 1 : 0;
  }

 private:
  friend class detail::lowering;

  detail::place* place_ = nullptr;
  std::size_t workers_ = 0;
  std::size_t next_ = static_cast<std::size_t>(-1) - 1;
  ssize_t victim_ = -1;
};

}  // namespace ff

#endif
