// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_GT_HPP
#define WEIR_FF_GT_HPP

#include <ff/node.hpp>

namespace ff {

/// Tells a collector that is a plain node from which worker its task comes. Only the
/// collector may use it, while the farm runs.
class ff_gatherer {
 public:
  explicit ff_gatherer(std::size_t /*most_workers*/ = DEF_MAX_NUM_WORKERS) {}
  ff_gatherer(const ff_gatherer&) = delete;
  ff_gatherer& operator=(const ff_gatherer&) = delete;
  virtual ~ff_gatherer() = default;

  /// The worker that the current task comes from.
  ssize_t get_channel_id() const { return place_ != nullptr ? place_->input : -1; }
  std::size_t getnworkers() const { return place_ != nullptr ? place_->inputs : 0; }
  /// See ff_minode::all_gather.
  bool all_gather(void* task, void** from) { return place_ != nullptr && place_->all_gather(task, from); }

 private:
  friend class detail::lowering;

  detail::place* place_ = nullptr;
};

}  // namespace ff

#endif
