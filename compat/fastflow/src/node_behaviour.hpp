// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/graph/behaviour.hpp"
#include "weir/detail/ports/ports.hpp"

#include "lowering.hpp"

#include <cstddef>
#include <vector>

namespace ff::detail {

/// Runs a node of the user, or passes tasks on, as one node of weir's graph.
///
/// **Ends.** An input has ended when its channel is closed and empty, or when `EOS` came through
/// it: programs may send that by themselves. When all inputs have ended, or `svc` has returned
/// `EOS`, the node has ended. weir then closes its channels.
///
/// **Lost consumers.** A node goes on when its consumers have ended, as it would in FastFlow: what
/// it sends to them is dropped.
class node_behaviour final : public weir::detail::behaviour, public place {
 public:
  explicit node_behaviour(const unit& about) : about_(about) {}

  void start(weir::detail::ports& at) override;
  weir::detail::progress step(weir::detail::ports& at, std::size_t budget) override;
  void finish(weir::detail::ports& at) override;
  void abort(weir::detail::ports& at) noexcept override;

  // See place.
  bool send(void* what, int id, unsigned long attempts) override;
  void broadcast(void* what) override;
  bool all_gather(void* what, void** from) override;
  int next_free(bool wait) override;
  void propagate_end() override;
  void set_input_active(bool active) override { input_active_ = active; }

 private:
  using in_channel = weir::detail::in_channel;

  weir::detail::progress run(weir::detail::ports& at, std::size_t budget);
  weir::detail::progress call_without_task(std::size_t budget);
  weir::detail::progress take_tasks(std::size_t budget);
  weir::detail::progress take_in_order(std::size_t budget);
  bool look_again_in_order();
  std::size_t take(in_channel& from, std::size_t count);
  void take(void* what);
  void call(void* what);
  void input_ends(std::size_t number, void* how);
  void end(void* how);
  bool try_send(void* what, int id, unsigned long attempts);
  /// The argument of callbacks: the load balancer or the gatherer of the farm; null: neither.
  void* farm() const noexcept {
    return about_.lb != nullptr ? static_cast<void*>(about_.lb) : static_cast<void*>(about_.gt);
  }
  /// Whether the code of the node wants no task of this input now.
  bool skips_input(std::size_t number) const noexcept { return !input_active_ && number >= about_.feedback_in; }
  void put(void* what, std::size_t consumer);
  bool try_put(void* what, std::size_t consumer);
  void broadcast_copies(void* what, std::size_t width);
  void tell_order(const void* what, std::size_t consumer);
  void put_to_only(void* what);
  void come_from(std::size_t number);
  std::size_t next_consumer();
  void leave() noexcept;

  const unit about_;
  weir::detail::ports* at_ = nullptr;
  weir::detail::out_port* out_ = nullptr;  // null: there is none
  std::vector<bool> ended_;                // by input
  std::size_t open_inputs_ = 0;
  std::size_t next_ = 0;   // consumer that is next in turn
  std::size_t order_ = 0;  // for `keeps_order`: input of the next results
  bool has_order_ = false;
  bool input_active_ = true;
  bool calls_first_ = false;  // `svc` gets null once before the first task
  bool has_ended_ = false;
};

}  // namespace ff::detail
