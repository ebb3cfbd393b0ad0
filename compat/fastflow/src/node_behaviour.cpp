// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "node_behaviour.hpp"

#include "groups.hpp"
#include "pauses.hpp"
#include "queues.hpp"
#include "task.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>

namespace ff::detail {

using weir::detail::channel;
using weir::detail::in_port;
using weir::detail::out_port;
using weir::detail::progress;

namespace {

std::size_t waiting_in(const channel& of) noexcept { return static_cast<std::size_t>(of.written() - of.completed()); }

void* read(channel::reader& items) noexcept {
  void* const found = task_in(items.item());
  items.done();
  return found;
}

}  // namespace

void node_behaviour::start(weir::detail::ports& at) {
  at_ = &at;
  inputs = at.ins() == 0 ? 0 : at.in(tasks_port).width();
  outputs = at.outs() == 0 ? 0 : at.out(tasks_port).width();
  feedback = about_.feedback_out;
  input = -1;
  from_input = true;
  ended_.assign(inputs, false);
  open_inputs_ = inputs;
  told_inputs = about_.lb != nullptr ? inputs - about_.feedback_in : inputs;
  next_ = 0;
  has_order_ = has_ended_ = false;
  input_active_ = true;
  words_ = orders_ = 0;
  resting_.assign(inputs, false);
  is_resting_ = false;
  if (about_.is_thawed_by_producer) wake_with(about_.resting->orders, at);
  has_manager_ = about_.manager != nullptr;
  if (has_manager_) wake_with(*about_.manager, at);
  out_ = at.outs() == 0 ? nullptr : &at.out(tasks_port);
  for (std::size_t i = 0; i != at.outs(); ++i) at.out(i).drop_lost_items();
  farm_lb = about_.lb;
  farm_gt = about_.gt;
  if (about_.lb != nullptr) lowering::place_at(*about_.lb, this, outputs);
  if (about_.gt != nullptr) lowering::place_at(*about_.gt, this);
  const struct beginning {
    life& all;
    ~beginning() { all.begun.fetch_add(1, std::memory_order_release); }  // pairs with the load of sources
  } in_the_end{*about_.of_all};
  if (about_.node == nullptr) return;
  lowering::place_at(*about_.node, this);
  is_plain_ = outputs <= 1 && !about_.marks && !about_.tells_order;
  begin();
  // Otherwise nothing would begin a loop into which nothing is sent from outside.
  calls_first_ =
      (inputs != 0 || has_manager_) && (inputs == about_.feedback_in || lowering::skips_first_pop(*about_.node));
}

void node_behaviour::begin() {
  if (about_.node == nullptr) return;
  lowering::note_times(*about_.node, true);
  if (const int found = about_.node->svc_init(); found < 0)
    throw std::runtime_error("its svc_init returned " + std::to_string(found));
}

progress node_behaviour::step(weir::detail::ports& at, std::size_t budget) {
  about_.resting->turn.store(budget, std::memory_order_relaxed);
  const progress how = run(at, fair(budget));
  show_lengths(false);
  if (has_begun_line) [[unlikely]]
    write_begun_line();
  return how;
}

// Nodes that take turns on one processor get turns of the same length. So a node takes no more in
// its turn than its consumers can take in theirs: else the channels between them would grow, as
// they have no bound, and no longer fit into the caches.
std::size_t node_behaviour::fair(std::size_t budget) const noexcept {
  constexpr std::size_t enough = 4096;
  std::size_t most = 0;
  for (const consumer& each : about_.consumers) {
    const std::size_t turn = each.resting != nullptr ? each.resting->turn.load(std::memory_order_relaxed) : 0;
    if (turn == 0) return std::min(budget, enough);
    most += turn;
  }
  return most != 0 ? std::min({budget, most, enough}) : budget;
}

// In FastFlow all threads begin at once, and programs count on it that the svc_init of short ones
// has been called before the first task comes. So a source lets the others begin, for a while.
bool node_behaviour::lets_others_begin() noexcept {
  constexpr std::chrono::milliseconds longest{2};
  if (are_all_begun_) return false;
  const auto now = std::chrono::steady_clock::now();
  if (first_step_ == std::chrono::steady_clock::time_point{}) first_step_ = now;
  const life& all = *about_.of_all;
  are_all_begun_ = all.begun.load(std::memory_order_acquire) >= all.made.load(std::memory_order_relaxed) ||
                   now - first_step_ > longest;
  return !are_all_begun_;
}

// For programs that ask for the lengths of the queues of a node.
void node_behaviour::show_lengths(bool has_left) noexcept {
  const node_queues* const shown = about_.node != nullptr ? lowering::queues_of(*about_.node) : nullptr;
  if (shown == nullptr) return;
  // The first channel that is no feedback channel stands for all.
  if (shown->shown_out != nullptr && outputs != 0)
    shown->shown_out->show(has_left ? 0 : waiting_in(out_->channel_to(std::min(about_.feedback_out, outputs - 1))));
  if (shown->shown_in != nullptr && inputs != 0)
    shown->shown_in->show(
        has_left ? 0 : waiting_in(at_->in(tasks_port).channels()[std::min(about_.feedback_in, inputs - 1)]->data()));
}

progress node_behaviour::run(weir::detail::ports& at, std::size_t budget) {
  if (has_ended_) return progress::ended;
  if (waits_for_thaw()) {
    const progress how = go_on_resting();
    if (has_ended_ || is_resting_) return how;
  }
  if (at.ins() == 0 && about_.manager == nullptr)
    return lets_others_begin() ? progress::more : call_without_task(budget);
  if (calls_first_) {
    calls_first_ = false;
    const progress how = call_without_task(1);
    if (how != progress::more) return how;
  }
  if (has_manager_) {
    if (const progress how = take_managed(budget); how != progress::waiting_input) return how;
  }
  if (at.ins() == 0) return progress::waiting_input;
  return about_.keeps_order ? take_in_order(budget) : take_tasks(budget);
}

void node_behaviour::finish(weir::detail::ports&) {
  const struct leaving {
    node_behaviour& node;
    ~leaving() { node.leave(); }
  } in_the_end{*this};
  if (about_.node == nullptr || is_resting_) return;
  about_.node->svc_end();
  if (has_begun_line) write_begun_line();
  lowering::note_times(*about_.node, false);
}

void node_behaviour::abort(weir::detail::ports&) noexcept { leave(); }

void node_behaviour::leave() noexcept {
  show_lengths(true);
  if (about_.node != nullptr) lowering::place_at(*about_.node, nullptr);
  if (about_.lb != nullptr) lowering::place_at(*about_.lb, nullptr, outputs);
  if (about_.gt != nullptr) lowering::place_at(*about_.gt, nullptr);
  if (about_.manager != nullptr) about_.manager->tell(nullptr, nullptr);
  about_.resting->orders.tell(nullptr, nullptr);
  about_.resting->state.store(rest::has_ended, std::memory_order_release);
  about_.of_all->running->fetch_sub(1, std::memory_order_release);  // pairs with the acquire in ff_node::done()
}

// ---- taking ----

progress node_behaviour::call_without_task(std::size_t budget) {
  if (about_.node == nullptr) {
    // The default emitter of a farm without input lets each worker begin, once.
    for (std::size_t i = 0; i != outputs; ++i) put(FF_GO_ON, i);
    end(nullptr);
    return progress::ended;
  }
  input = about_.lb != nullptr ? no_input : -1;
  from_input = true;
  while (budget != 0) {
    if (at_->draining()) end(nullptr);
    if (has_ended_) return progress::ended;
    run_through_if_plain([&](void*& what) {
      if (budget == 0 || at_->draining() || at_->stopping()) return false;
      --budget;
      at_->count(1);
      what = nullptr;
      return true;
    });
    if (has_ended_) return progress::ended;
    if (at_->interrupted()) return progress::waiting_room;
    if (budget == 0) break;
    if (at_->draining()) continue;
    --budget;
    at_->count(1);
    call(nullptr);
    if (has_ended_) return progress::ended;
    if (at_->interrupted()) return progress::waiting_room;
  }
  return progress::more;
}

progress node_behaviour::take_tasks(std::size_t budget) {
  progress early = progress::waiting_input;
  bool skips = false;
  at_->in(tasks_port).each_arrived([&](in_channel& from) {
    if (skips_input(from.index())) {
      skips = true;
      return in_port::look::rest;
    }
    weir::detail::channel& data = from.data();
    const bool closed = from.closed();  // read before the look: a closed, then empty channel has ended
    std::size_t found = data.claim_written();
    if (found != 0) {
      from.sample_fill();
      at_->in(tasks_port).touch(from);
    }
    for (; found != 0; found = data.claim()) {
      const std::size_t taken = take(from, std::min({found, budget, at_->run_length(), in_port::run_in(data)}));
      at_->count(taken);
      budget -= taken;
      from.offer_room(false);
      if (has_ended_)
        early = progress::ended;
      else if (at_->interrupted())
        early = progress::waiting_room;
      else if (budget == 0)
        early = progress::more;
      else if (skips_input(from.index()))
        return skips = true, in_port::look::rest;
      else
        continue;
      return in_port::look::broken_off;
    }
    if (!closed) return in_port::look::empty;
    input_ends(from.index(), nullptr);
    return in_port::look::ended;
  });
  if (has_ended_) return progress::ended;
  if (early != progress::waiting_input || !skips) return early;
  if (input_active_) return progress::more;  // it was not, when the look began
  const progress how = call_without_task(1);
  if (how == progress::more) at_->in(tasks_port).look_again();
  return how;
}

std::size_t node_behaviour::take(in_channel& from, std::size_t count) {
  come_from(from.index());
  channel::reader items = from.data().read(count);
  while (items.more() && !has_ended_ && !at_->blocked() && !skips_input(from.index())) {
    if (!is_resting_) {
      std::size_t left = items.left();
      {
        weir::detail::item_cursor<task, true> at(items.lend());
        run_through_if_plain([&](void*& what) {
          if (left == 0 || !is_task(what = task_in(at.slot()))) return false;
          --left;
          at.done();
          return true;
        });
      }
      items.catch_up();
      if (!items.more() || has_ended_ || at_->blocked() || skips_input(from.index())) break;
    }
    void* const what = read(items);
    if (is_task(what)) [[likely]] {
      if (is_resting_) go_on();
      take(what);
    } else {
      take_word(from.index(), what);
    }
  }
  return items.count();
}

void node_behaviour::take_word(std::size_t number, void* what) {
  if (is_end(what)) {
    input_ends(number, what);
  } else if (number_of(what) == go_out) {
    end(nullptr);
  } else if (number_of(what) == rest_word) {
    ++words_;
    if (!is_resting_) fall_to_rest();
  } else if (number_of(what) == rest_word_to_all) {
    ++words_;
    input_rests(number);
  } else {
    take(what);
  }
}

// Takes what another thread has put into the queue of the manager.
// @return `waiting_input` if there is nothing more
progress node_behaviour::take_managed(std::size_t& budget) {
  for (; budget != 0; --budget) {
    void* what = nullptr;
    const bool ends = inputs == 0 && at_->draining();
    if (!ends && !about_.manager->pop(&what)) return progress::waiting_input;
    if (ends || is_end(what)) {
      has_manager_ = false;
      if (inputs == 0) end(nullptr);
      return has_ended_ ? progress::ended : progress::waiting_input;
    }
    input = about_.manager_id;
    from_input = false;
    at_->count(1);
    call(what);
    if (has_ended_) return progress::ended;
    if (at_->interrupted()) return progress::waiting_room;
  }
  return progress::more;
}

void node_behaviour::take(void* what) {
  if (number_of(what) == mark) {
    if (!about_.keeps_order) put_to_only(what);
    return;
  }
  call(what);
  if (about_.marks && !has_ended_) put_to_only(reinterpret_cast<void*>(mark));
}

// Takes the results of one task after those of the task before it, from the worker that the emitter
// has named. When the emitter has named the last one, the workers have their last words.
progress node_behaviour::take_in_order(std::size_t budget) {
  in_port& tasks = at_->in(tasks_port);
  in_port& order = at_->in(order_port);
  for (;;) {
    if (!has_order_) {
      const in_port::run named = order.first_run();
      if (named.count == 0) {
        if (order.ended()) return take_tasks(budget);
        if (look_again_in_order()) continue;
        return progress::waiting_input;
      }
      {
        channel::reader items = named.from->data().read(1);
        order_ = number_of(read(items));
      }
      order.took(*named.from);
      has_order_ = true;
    }
    in_channel& from = *tasks.channels()[order_];
    const bool closed = from.closed();
    const std::size_t found = from.data().claim_written();
    if (found == 0) {
      if (closed) {
        has_order_ = false;  // the worker has ended before its task
        continue;
      }
      if (look_again_in_order()) continue;
      return progress::waiting_input;
    }
    come_from(order_);
    {
      channel::reader items = from.data().read(std::min(found, budget));
      while (items.more() && has_order_ && !has_ended_ && !at_->blocked()) {
        void* const what = read(items);
        if (number_of(what) == mark) {
          has_order_ = false;
        } else if (is_task(what)) {
          if (is_resting_) go_on();
          call(what);
        } else if (!is_nothing(what)) {
          has_order_ = has_order_ && number_of(what) == rest_word;
          take_word(order_, what);
        }
      }
      at_->count(items.count());
      budget -= std::min(budget, items.count());
    }
    tasks.took(from);
    if (has_ended_) return progress::ended;
    if (at_->interrupted()) return progress::waiting_room;
    if (budget == 0) return progress::more;
  }
}

bool node_behaviour::look_again_in_order() {
  const bool tasks = at_->in(tasks_port).look_again();
  return at_->in(order_port).look_again() || tasks;
}

void node_behaviour::come_from(std::size_t number) {
  from_input = number >= about_.feedback_in;
  input = static_cast<ssize_t>(from_input ? number - about_.feedback_in : number);
  // The emitter of a farm knows its workers by number, and the input of the farm by -1.
  if (from_input && about_.lb != nullptr && about_.node != nullptr && !about_.node->isMultiInput()) input = -1;
}

void node_behaviour::call(void* what) {
  if (about_.node == nullptr) {
    send(what, -1, for_ever);
    return;
  }
  if (calls_back) about_.node->callbackIn(farm());
  take_result(about_.node->svc(what));
}

void node_behaviour::take_result(void* result) {
  if (is_task(result)) [[likely]] {
    if (outputs == 1 && !calls_back) {
      put_to_only(result);
    } else {
      send(result, -1, for_ever);
    }
  } else if (result == nullptr || is_end(result) || number_of(result) == go_out) {
    end(result);
  }
}

// Begins to write results where the last run has ended, and ends it, also if the code of the node
// throws.
class node_behaviour::run_of_results {
 public:
  explicit run_of_results(node_behaviour& of) : of_(of) {
    of_.results_.emplace(of_.out_->position(), of_.out_->stride(), std::size_t{0}, weir::detail::told::each);
  }
  run_of_results(const run_of_results&) = delete;
  run_of_results& operator=(const run_of_results&) = delete;
  ~run_of_results() { of_.results_.reset(); }

 private:
  node_behaviour& of_;
};

// Calls the node for one task after the other, as long as nothing else is to be done.
// @param next_task bool(void*& task): takes the next task; false if there is none that can be taken
// here
template <class Next>
void node_behaviour::run_through_if_plain(Next&& next_task) {
  if (!is_plain_ || calls_back) return;
  is_interrupted_ = false;
  if (outputs == 0) {
    run_through<false>(next_task);
  } else if (out_->has_room() && !out_->spilled()) {
    const run_of_results results(*this);
    run_through<true>(next_task);
  }
}

template <bool sends, class Next>
void node_behaviour::run_through(Next&& next_task) {
  ff_node& node = *about_.node;
  [[maybe_unused]] std::size_t room = 0;
  [[maybe_unused]] weir::detail::cursor none{};
  weir::detail::item_cursor<task, true> to(sends ? results_->lend() : none);
  [[maybe_unused]] const weir::detail::sleepers* const sleeping = sends ? &out_->sleeping() : nullptr;
  if constexpr (sends) room = out_->room(weir::detail::channel::never);
  for (void* what = nullptr; (!sends || room != 0) && next_task(what);) {
    void* const result = node.svc(what);
    if (is_interrupted_) [[unlikely]]
      return take_result(result);
    if (is_task(result)) [[likely]] {
      if constexpr (sends) {
        put_task(to.slot(), result);
        to.done();
        --room;
        if (sleeping->any()) [[unlikely]] {
          interrupt();
          return out_->wake_early();
        }
      }
    } else if (result == nullptr || is_end(result) || number_of(result) == go_out) {
      return end(result);
    }
  }
}

void node_behaviour::input_ends(std::size_t number, void* how) {
  if (ended_[number]) return;
  ended_[number] = true;
  --open_inputs_;
  if (!is_resting_ && !resting_[number]) tell_end(number, open_inputs_ == 0);
  if (open_inputs_ == 0) end(how);
}

void node_behaviour::tell_end(std::size_t number, bool is_last) {
  come_from(number);
  if (about_.node == nullptr) return;
  // Emitters and collectors learn of each input, too. That of the farm has no number.
  if (about_.node->isMultiInput() || about_.lb != nullptr || about_.gt != nullptr) {
    about_.node->eosnotify(about_.lb != nullptr && from_input ? -1 : input);
  } else if (is_last) {
    about_.node->eosnotify(-1);
  }
}

// weir closes the channels of a node that has ended. `EOSW` goes before that.
void node_behaviour::end(void* how) {
  interrupt();
  if (has_ended_) return;
  if (number_of(how) == eosw) propagate_end();
  has_ended_ = true;
}

bool node_behaviour::all_gather(void* what, void** from) {
  interrupt();
  in_port& port = at_->in(tasks_port);
  const auto& channels = port.channels();
  std::fill_n(from, channels.size(), nullptr);
  const std::size_t own = input < 0 ? inputs : static_cast<std::size_t>(input) + (from_input ? about_.feedback_in : 0);
  if (own < inputs) from[own] = what;
  std::vector<bool> found(channels.size(), false);
  if (own < inputs) found[own] = true;
  pauses pause;
  for (std::size_t left = channels.size() - (own < inputs ? 1 : 0); left != 0;) {
    bool any = false;
    for (std::size_t i = 0; i != channels.size(); ++i) {
      if (found[i]) continue;
      if (ended_[i]) {
        found[i] = true;
        --left;
        continue;
      }
      in_channel& each = *channels[i];
      const bool closed = each.closed();
      if (each.data().claim_written() == 0) {
        if (closed) found[i] = true, --left;  // the next step notices that it has ended
        continue;
      }
      {
        channel::reader items = each.data().read(1);
        void* const next = read(items);
        if (is_end(next)) {
          input_ends(i, next);
          come_from(own);
        } else {
          from[i] = next;
        }
      }
      at_->count(1);
      found[i] = any = true;
      --left;
      port.touch(each);
      each.offer_room(false);
    }
    if (left == 0 || any) continue;
    port.offer_all_room();
    pause.wait(*at_);
  }
  return std::any_of(from, from + channels.size(), [](const void* each) { return each != nullptr; });
}

}  // namespace ff::detail
