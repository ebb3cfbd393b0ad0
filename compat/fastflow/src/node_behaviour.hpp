// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/graph/behaviour.hpp"
#include "weir/detail/ports/ports.hpp"

#include "lowering.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

namespace ff::detail {

/// A number of attempts.
inline constexpr unsigned long for_ever = static_cast<unsigned long>(-1);

/// Runs a node of the user, or passes tasks on, as one node of weir's graph.
///
/// **Ends.** An input has ended when its channel is closed and empty, or when `EOS` came through
/// it: programs may send that by themselves. When all inputs have ended, or `svc` has returned
/// `EOS`, the node has ended. weir then closes its channels.
///
/// **Runs.** A node with one consumer, or none, gets its tasks in runs: a loop that holds the
/// reader and the writer of the two channels in registers. Each task and each result is told at
/// once. The code of the node may send by itself meanwhile, or do other things with its place: each
/// of them first ends the run (`interrupt`), so that it finds the channel as the run has left it.
///
/// **Rests.** While a node rests, its tasks stay in the channels. A node whose producer can thaw it
/// rests until then, or until the producer has ended. Other nodes go on with the next task.
///
/// **Lost consumers.** A node goes on when its consumers have ended, as it would in FastFlow: what
/// it sends to them is dropped.
class node_behaviour final : public weir::detail::behaviour, public place {
 public:
  explicit node_behaviour(const unit& about) : about_(about) { ++about_.of_all->made; }

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
  void set_input_active(bool active) override {
    interrupt();
    input_active_ = active;
  }
  void add_consumers(svector<ff_node*>& to, bool by_feedback) const override;
  rest& rest_of(std::size_t id) override;
  void wait_for(const rest& of) override;

 private:
  using in_channel = weir::detail::in_channel;

  std::size_t fair(std::size_t budget) const noexcept;
  bool lets_others_begin() noexcept;
  void show_lengths(bool has_left) noexcept;
  weir::detail::progress run(weir::detail::ports& at, std::size_t budget);
  weir::detail::progress call_without_task(std::size_t budget);
  weir::detail::progress take_tasks(std::size_t budget);
  weir::detail::progress take_managed(std::size_t& budget);
  weir::detail::progress go_on_resting();
  weir::detail::progress take_in_order(std::size_t budget);
  bool look_again_in_order();
  std::size_t take(in_channel& from, std::size_t count);
  class run_of_results;
  template <bool sends, class Next>
  void run_through(Next&& next_task);
  template <class Next>
  void run_through_if_plain(Next&& next_task);
  void take_result(void* result);
  void interrupt() noexcept {
    is_interrupted_ = true;
    results_.reset();
  }
  void take(void* what);
  void take_word(std::size_t number, void* what);
  void call(void* what);
  void input_ends(std::size_t number, void* how);
  void input_rests(std::size_t number);
  void tell_end(std::size_t number, bool is_last);
  void fall_to_rest();
  void go_on();
  void begin();
  void end(void* how);
  bool try_send(void* what, int id, unsigned long attempts);
  /// The argument of callbacks: the load balancer or the gatherer of the farm; null: neither.
  void* farm() const noexcept {
    return about_.lb != nullptr ? static_cast<void*>(about_.lb) : static_cast<void*>(about_.gt);
  }
  /// Whether the code of the node wants no task of this input now.
  bool skips_input(std::size_t number) const noexcept {
    return (!input_active_ && number >= about_.feedback_in) || waits_for_thaw();
  }
  bool waits_for_thaw() const noexcept { return is_resting_ && about_.is_thawed_by_producer; }
  void* word_for(void* what, std::size_t consumer) const noexcept;
  void count_word(const void* what, std::size_t consumer) noexcept;
  void say_state() noexcept;
  void put(void* what, std::size_t consumer);
  bool try_put(void* what, std::size_t consumer);
  void broadcast_copies(void* what, std::size_t width);
  void tell_order(const void* what, std::size_t consumer);
  void put_to_only(void* what);
  void come_from(std::size_t number);
  bool has_victim() const noexcept { return about_.lb != nullptr && lowering::has_victim(*about_.lb); }
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
  bool are_all_begun_ = false;
  std::chrono::steady_clock::time_point first_step_{};
  bool is_plain_ = false;                                 // its tasks may come in runs
  bool is_interrupted_ = false;                           // the run must end
  std::optional<weir::detail::channel::writer> results_;  // of the run

  bool has_manager_ = false;  // more may come from there

  std::size_t words_ = 0;      // that have told the node to rest
  std::size_t orders_ = 0;     // that have been taken
  std::vector<bool> resting_;  // by input: it has said that the node shall rest when all have
  bool is_resting_ = false;
};

}  // namespace ff::detail
