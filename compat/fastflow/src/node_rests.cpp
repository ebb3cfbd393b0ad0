// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/channel/atomics.hpp"

#include "groups.hpp"
#include "node_behaviour.hpp"
#include "pauses.hpp"
#include "queues.hpp"
#include "task.hpp"

#include <stdexcept>
#include <string>

// The part of node_behaviour about nodes that are frozen and thawed.

namespace ff::detail {

using weir::detail::in_port;
using weir::detail::progress;

void node_behaviour::input_rests(std::size_t number) {
  // A collector that was thawed may get no task before the next rest.
  if (is_resting_ && about_.gt != nullptr && about_.resting->thaws.load(std::memory_order_relaxed) > orders_) go_on();
  if (is_resting_ || ended_[number] || resting_[number]) return;
  resting_[number] = true;
  bool are_all = true;
  for (std::size_t i = 0; i != inputs; ++i) are_all = are_all && (ended_[i] || resting_[i]);
  tell_end(number, are_all);
  if (!are_all) return;
  // A farm rests as a whole: nothing behind it is told.
  for (std::size_t i = 0; i != outputs && about_.gt == nullptr; ++i) put(FF_EOSW, i);
  fall_to_rest();
}

void node_behaviour::fall_to_rest() {
  is_resting_ = true;
  if (about_.node != nullptr) {
    about_.node->svc_end();
    if (has_begun_line) write_begun_line();
    lowering::note_times(*about_.node, false);
  }
  say_state();
}

void node_behaviour::say_state() noexcept {
  about_.resting->state.store(2 * orders_ + (is_resting_ ? 1 : 0), std::memory_order_release);
}

// A collector takes a call of `thaw` for the next task.
void node_behaviour::go_on() {
  is_resting_ = false;
  if (about_.gt != nullptr) ++orders_;
  say_state();
  resting_.assign(inputs, false);
  begin();
}

// An order that comes after the queue was found empty notifies the node, and so does a producer
// that ends.
// @return `more` if the node has been thawed
progress node_behaviour::go_on_resting() {
  in_port& port = at_->in(tasks_port);
  const auto thaw = [&] {
    go_on();
    port.look_again();
    return progress::more;
  };
  void* waiting = nullptr;
  while (about_.resting->orders.pop(&waiting)) {
    const thaw_order order(waiting);
    ++orders_;
    say_state();
    if (order.word < words_) continue;
    if (!order.ends) return thaw();
    end(nullptr);
    return progress::ended;
  }
  bool has_tasks = false;
  bool are_closed = true;
  for (std::size_t i = about_.feedback_in; i != inputs; ++i) {
    in_channel& each = *port.channels()[i];
    are_closed = each.closed() && are_closed;  // read before the look: a closed, then empty channel has ended
    has_tasks = each.data().claim_written() != 0 || has_tasks;
  }
  if (!are_closed) return port.look_again() ? progress::more : progress::waiting_input;
  // Nobody can thaw the node any more. Tasks that wait for it are not lost.
  if (has_tasks) return thaw();
  end(nullptr);
  return progress::ended;
}

void node_behaviour::add_consumers(svector<ff_node*>& to, bool by_feedback) const {
  for (std::size_t i = 0; i != about_.consumers.size(); ++i) {
    ff_node* const node = about_.consumers[i].node;
    if (node != nullptr && (i < about_.feedback_out) == by_feedback) to.push_back(node);
  }
}

rest& node_behaviour::rest_of(std::size_t id) {
  if (id >= outputs)
    throw std::out_of_range("freezes or thaws consumer " + std::to_string(id) + ", but has " + std::to_string(outputs));
  const consumer& of = about_.consumers[id];
  if (of.resting == nullptr || of.is_elsewhere)
    throw std::logic_error("freezes or thaws consumer " + std::to_string(id) +
                           ", which is no single node of this process");
  return *of.resting;
}

void node_behaviour::wait_for(const rest& of) {
  interrupt();
  for (pauses pause; !of.is_reached(); pause.wait(*at_)) {
    if (out_ == nullptr || (out_->spilled() && !out_->drain()) || !out_->publish()) continue;
    weir::detail::native_atomics::fence_full();
    out_->notify_consumers();
  }
}

}  // namespace ff::detail
