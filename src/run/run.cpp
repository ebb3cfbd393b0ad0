// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/run/run.hpp"

#include "weir/detail/graph/network_state.hpp"
#include "weir/detail/graph/process.hpp"
#include "weir/detail/run/group_run.hpp"
#include "weir/run/group_member.hpp"

#include "graph/variables.hpp"
#include "run/activation.hpp"
#include "run/environment.hpp"
#include "run/execution.hpp"
#include "run/join.hpp"
#include "run/live_runs.hpp"
#include "run/live_server.hpp"
#include "run/running_node.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <utility>

namespace weir {

namespace {

// Whether this is the first call in this process.
bool begins_first() noexcept {
  static std::atomic<bool> none_yet{true};
  return none_yet.load(std::memory_order_relaxed) && none_yet.exchange(false, std::memory_order_relaxed);
}

// Fills in options from the environment if they are not set.
run_options completed(run_options options, const network& net, bool first) {
  detail::take_variables_of_runs();
  if (options.member == nullptr && !options.alone) options.member = group_member::of_this_process();
  options.tuned = detail::requested_tuning(options.tuned, net, first);
  return options;
}

std::size_t cores_of(const run_options& options) noexcept {
  return options.workers != 0 ? options.workers : available_cores();
}

}  // namespace

/// One run. When it has ended, its execution goes back to the network; this object keeps what the
/// handle still returns. In a forked child it is left as it is: stop tokens, which the child has
/// copies of, have no effect on it.
class running::state {
 public:
  state(network& net, run_options options)
      : first_(begins_first()),
        options_(completed(std::move(options), net, first_)),
        net_(net),
        under_way_(std::in_place, net.state()),
        now_(detail::execution::of(net, options_)) {
    detail::answer_graph_request(now_->what());
    detail::live_server::open_if_asked();
    live_.emplace(detail::live_runs::of_this_process());
    now_->launch(net, options_, detail::requested_trace(options_.trace));
    if (options_.stop.stop_possible()) stop_.emplace(options_.stop, canceller{this});
    const bool has_own_drain = options_.drain.stop_possible();
    if (has_own_drain) drain_.emplace(options_.drain, drainer{this});
    if (detail::activation* const around = detail::activation::of_this_thread()) {
      const detail::run_context& its = around->context();
      around_stops_.emplace(its.stop_source.get_token(), canceller{this});
      if (!has_own_drain && around->makes_items()) around_drains_.emplace(its.drain_source.get_token(), drainer{this});
    }
    live_->enter([this] { return report_so_far(); });
  }
  state(const state&) = delete;
  state& operator=(const state&) = delete;

  ~state() {
    cancel();
    end();
  }

  void end() {
    detail::execution* const now = now_.get();  // only this thread removes it
    if (now == nullptr) return;
    now->wait_for_all(options_);
    stop_.reset();
    drain_.reset();
    around_stops_.reset();
    if (around_drains_) {
      around_drains_.reset();
      detail::activation* const around = detail::activation::of_this_thread();
      // The callback drains this run only once the run around it drains.
      if (around != nullptr && now->requests.draining() && around->context().requests.draining()) {
        around->note_partial_item();
        if (detail::join::current() == nullptr) around->hold_partial_item();  // else the join does, on the right thread
      }
    }
    {
      const std::lock_guard lock(mutex_);
      now->note_end();
    }
    if (detail::live_server::is_open()) live_->leave(now->make_report());
    live_.reset();
    now->write_trace();
    report all = now->end_everywhere();
    const std::lock_guard lock(mutex_);
    problem_ = now->problem();
    last_ = std::move(all);
    now->leave_group();
    if (first_ && !problem_) detail::answer_profile_request(net_, now->what(), last_, cores_of(options_));
    now->discard_rest();
    net_.state().keep(std::move(now_));
    under_way_.reset();
  }

  report wait() {
    end();
    if (problem_) std::rethrow_exception(problem_);
    return last_;
  }

  bool is_here() const noexcept { return begun_by_.is_here(); }
  void must_be_here() const { begun_by_.must_be_here("run"); }

  void cancel() noexcept { ask_for(&detail::execution::cancel, &detail::run_context::stop_source); }
  void drain() noexcept { ask_for(&detail::execution::drain, &detail::run_context::drain_source); }

  report report_so_far() const {
    const std::lock_guard lock(mutex_);
    return now_ != nullptr ? now_->make_report() : last_;
  }

  std::exception_ptr failure() const noexcept {
    const std::lock_guard lock(mutex_);
    return now_ != nullptr ? now_->problem() : problem_;
  }

 private:
  // Callbacks of user code are called without the lock.
  void ask_for(void (detail::execution::*how)() noexcept, std::stop_source detail::run_context::*told) noexcept {
    if (!is_here()) return;
    std::stop_source source(std::nostopstate);
    {
      const std::lock_guard lock(mutex_);
      if (now_ == nullptr) return;
      (now_.get()->*how)();
      source = now_.get()->*told;
    }
    source.request_stop();
  }

  struct canceller {
    state* run;
    void operator()() const noexcept { run->cancel(); }
  };
  struct drainer {
    state* run;
    void operator()() const noexcept { run->drain(); }
  };

  const detail::process_mark begun_by_;
  const bool first_;  // the first run of this process to begin
  const run_options options_;
  network& net_;
  std::optional<detail::network_state::run_under_way> under_way_;
  mutable std::mutex mutex_;                // guards the members that follow
  std::unique_ptr<detail::execution> now_;  // null after the end
  report last_;                             // report at the end
  std::exception_ptr problem_;
  std::optional<std::stop_callback<canceller>> stop_;
  std::optional<std::stop_callback<drainer>> drain_;
  // These follow the run around this one, if a node has begun this run; see `run_context`.
  std::optional<std::stop_callback<canceller>> around_stops_;
  std::optional<std::stop_callback<drainer>> around_drains_;
  std::optional<detail::live_runs::shown_run> live_;
};

running::~running() {
  if (state_ == nullptr || state_->is_here()) {
    delete state_;
  } else {
    detail::leave_to_parent(state_);
  }
}

namespace {

// @throws std::logic_error if the handle was moved from, or in a forked child
template <class State>
State& existing(State* state) {
  if (state == nullptr)
    throw std::logic_error("weir: this handle of a run was moved from; use the one it was moved to");
  state->must_be_here();
  return *state;
}

}  // namespace

report running::wait() { return existing(state_).wait(); }
void running::cancel() noexcept {
  if (state_ != nullptr) state_->cancel();
}
void running::drain() noexcept {
  if (state_ != nullptr) state_->drain();
}
report running::report_so_far() const { return existing(state_).report_so_far(); }
std::exception_ptr running::failure() const noexcept {
  return state_ == nullptr || !state_->is_here() ? nullptr : state_->failure();
}

running start(network& net, const run_options& options) { return running(new running::state(net, options)); }
running start(network& net) { return start(net, run_options{}); }

report run(network& net, const run_options& options) { return start(net, options).wait(); }
report run(network& net) { return run(net, run_options{}); }

report run(network&& net, const run_options& options) {
  network last = std::move(net);
  return run(last, options);
}
report run(network&& net) { return run(std::move(net), run_options{}); }

}  // namespace weir
