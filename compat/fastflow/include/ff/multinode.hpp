// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_MULTINODE_HPP
#define WEIR_FF_MULTINODE_HPP

#include <weir/export.hpp>

#include <ff/gt.hpp>
#include <ff/lb.hpp>
#include <ff/node.hpp>

#include <algorithm>
#include <memory>
#include <type_traits>
#include <vector>

namespace ff {

/// A node with several inputs. It takes tasks from them as they come.
class WEIR_API ff_minode : public ff_node {
 public:
  explicit ff_minode(int /*most_inputs*/ = DEF_MAX_NUM_WORKERS) {}
  ff_minode(const ff_minode& other) : ff_node(other) {}
  ff_minode& operator=(const ff_minode&) { return *this; }

  bool isMultiInput() const override { return true; }

  /// The input of the current task. Those that come back through feedback channels are counted from
  /// 0, and so are all others; `fromInput` tells them apart.
  ssize_t get_channel_id() const override { return place_ != nullptr ? std::max<ssize_t>(place_->input, -1) : -1; }
  /// Whether the current task came from an input that is no feedback channel.
  virtual bool fromInput() const { return place_ == nullptr || place_->from_input; }

  /// Takes a task from each input: `from[i]` is the one of input `i`, null if that has ended. Waits
  /// for them. `task` is the one that `svc` was called with.
  bool all_gather(void* task, void** from) { return place_ != nullptr && place_->all_gather(task, from); }
  template <typename T>
  bool all_gather(T* task, T** from) {
    return all_gather(erased(task), reinterpret_cast<void**>(const_cast<std::remove_cv_t<T>**>(from)));
  }
  template <typename T>
  bool all_gather(T* task, void** from) {
    return all_gather(erased(task), from);
  }

  /// Same as above. The vector gets the size that it needs.
  template <typename T>
  bool all_gather(T* task, std::vector<T*>& from) {
    from.resize(place_ != nullptr ? place_->inputs : 0);
    return all_gather(task, from.data());
  }

  int run(bool skip_init = false) override { return ff_node::run(skip_init); }
  int wait() override { return ff_node::wait(); }

  /// Tells the same as the node itself. While a farm runs that has the node as its collector, it is
  /// the farm's; else it belongs to the node.
  ff_gatherer* getgt() const;

 private:
  friend class detail::lowering;

  template <typename T>
  static void* erased(T* task) {
    return const_cast<std::remove_cv_t<T>*>(task);
  }

  mutable std::unique_ptr<ff_gatherer> gt_;  // null until it is asked for
};

/// A node with several consumers.
class WEIR_API ff_monode : public ff_node {
 public:
  explicit ff_monode(int /*most_outputs*/ = DEF_MAX_NUM_WORKERS) {}
  ff_monode(const ff_monode& other) : ff_node(other), ondemand_(other.ondemand_) {}
  ff_monode& operator=(const ff_monode&) { return *this; }

  bool isMultiOutput() const override { return true; }
  ssize_t get_channel_id() const override { return place_ != nullptr ? std::max<ssize_t>(place_->input, -1) : -1; }

  /// Sends a task to the consumer `id`. Those that feedback channels lead to have the first
  /// numbers.
  virtual bool ff_send_out_to(void* task, int id, unsigned long retry = static_cast<unsigned long>(-1),
                              unsigned long /*ticks*/ = TICKS2WAIT) {
    return place_ != nullptr && place_->send(task, id, retry);
  }
  /// Sends a task to all consumers.
  virtual void broadcast_task(void* task) {
    if (place_ != nullptr) place_->broadcast(task);
  }
  /// Returns a consumer that has room; -1: none, if it may not wait.
  int get_next_free_channel(bool forever = true) { return place_ != nullptr ? place_->next_free(forever) : -1; }

  /// Bounds the channels to `n` tasks, so that tasks go to consumers that are free. 0: not.
  virtual void set_scheduling_ondemand(int n = 1) { ondemand_ = n < 0 ? 1 : n; }
  int ondemand_buffer() const { return ondemand_; }

  int run(bool skip_init = false) override { return ff_node::run(skip_init); }
  int wait() override { return ff_node::wait(); }

  /// Sends, freezes and thaws for the node: see there. While a farm runs that has the node as its
  /// emitter, it is the farm's; else it belongs to the node.
  ff_loadbalancer* getlb() const;

 private:
  friend class detail::lowering;

  int ondemand_ = 0;
  mutable std::unique_ptr<ff_loadbalancer> lb_;  // null until it is asked for
};

WEIR_FF_TYPED_BEGIN

/// ff_minode that takes `IN_t*` and returns `OUT_t*`.
template <typename IN_t, typename OUT_t = IN_t>
struct ff_minode_t : detail::typed_node<ff_minode, IN_t, OUT_t> {};

/// ff_monode that takes `IN_t*` and returns `OUT_t*`.
template <typename IN_t, typename OUT_t = IN_t>
struct ff_monode_t : detail::typed_node<ff_monode, IN_t, OUT_t> {};

WEIR_FF_TYPED_END

}  // namespace ff

#endif
