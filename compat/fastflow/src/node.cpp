// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/ports/ports.hpp"
#include "weir/graph/error.hpp"

#include "groups.hpp"
#include "lowering.hpp"
#include "running.hpp"
#include "task.hpp"

#include <ff/ff.hpp>

#include <algorithm>
#include <exception>
#include <utility>

namespace ff {
namespace detail {

constinit bool calls_back = false;

runs::runs() = default;
runs::~runs() = default;

run_state::run_state(ff_node& whole, std::shared_ptr<results> last, bool freezes)
    : lowered(whole, std::move(last), freezes), net([this] {
        weir::graph made = lowered.graph();
        print_group(made);
        return made;
      }()) {}

// ---- results ----

void results::add(void* const* some, std::size_t count) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.insert(waiting_.end(), some, some + count);
  }
  if (count == 1) {
    changed_.notify_one();
  } else {
    changed_.notify_all();
  }
}

void results::open() {
  const std::lock_guard lock(mutex_);
  closed_ = false;
}

void results::close() noexcept {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

void* results::take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return closed_ || !waiting_.empty(); });
  if (waiting_.empty()) return FF_EOS;
  void* const first = waiting_.front();
  waiting_.pop_front();
  return first;
}

void* results::take_now() {
  const std::lock_guard lock(mutex_);
  if (waiting_.empty()) return closed_ ? FF_EOS : nullptr;
  void* const first = waiting_.front();
  waiting_.pop_front();
  return first;
}

weir::detail::progress results_node::step(weir::detail::ports& at, std::size_t budget) {
  return at.consume(budget, [&](weir::detail::channel& from, std::size_t count) {
    some_.clear();
    weir::detail::channel::reader items = from.read(count);
    for (; items.more(); items.done()) {
      void* const what = task_in(items.item());
      if (is_task(what)) some_.push_back(what);
    }
    if (!some_.empty()) to_->add(some_.data(), some_.size());
    return count;
  });
}

namespace {

// Says why a run has failed.
int complain() noexcept {
  try {
    throw;
  } catch (const std::exception& problem) {
    error("%s\n", problem.what());
  } catch (...) {
    error("an unknown exception\n");
  }
  return -1;
}

// Tries again `attempts` times.
template <class Try>
bool try_often(unsigned long attempts, Try&& once) {
  for (; !once(); --attempts) {
    if (attempts == 0) return false;
    ff_relax();
  }
  return true;
}

bool offload_to(runs* of, void* task, unsigned long attempts) {
  if (of == nullptr || of->offloads == nullptr) {
    error("offload: the block doesn't run as an accelerator; construct it with input_ch, and run it first\n");
    return false;
  }
  weir::detail::input_end& in = *of->offloads;
  if (is_end(task)) {
    in.close();
    return true;
  }
  if (!is_task(task)) {
    error("offload: null is no task\n");
    return false;
  }
  detail::task item{task};
  const auto is_settled = [](weir::detail::attempt how) { return how != weir::detail::attempt::later; };
  weir::detail::attempt how = in.try_send(item);
  if (attempts == static_cast<unsigned long>(-1)) {
    for (; !is_settled(how); how = in.try_send(item)) in.wait_for_room();
  } else {
    try_often(attempts, [&] { return is_settled(how) || is_settled(how = in.try_send(item)); });
  }
  return how == weir::detail::attempt::done;
}

bool load_now_from(runs* of, void** to) {
  if (of == nullptr || of->loads == nullptr) return false;
  void* const found = of->loads->take_now();
  if (found == nullptr) return false;
  *to = found;
  return true;
}

bool load_from(runs* of, void** to, unsigned long attempts) {
  if (of == nullptr || of->loads == nullptr) {
    error("load_result: the block has not run as an accelerator; construct it with input_ch, and run it first\n");
    return false;
  }
  if (attempts == static_cast<unsigned long>(-1)) {
    *to = of->loads->take();
  } else if (!try_often(attempts, [&] { return load_now_from(of, to); })) {
    return false;
  }
  return is_task(*to);
}

double milliseconds(const timeval& from, const timeval& to) { return to.tv_sec == 0 ? 0 : diffmsec(to, from); }

}  // namespace
}  // namespace detail

ff_node::ff_node() = default;
ff_node::ff_node(const ff_node& other) : taken_(other.taken_), sent_(other.sent_) {
  if (other.groups_ != nullptr) groups_ = std::make_unique<detail::node_groups>(*other.groups_);
}
ff_node::~ff_node() = default;

detail::sharing_place::sharing_place(const ff_node& from, ff_node& with) : with_(with) {
  with.set_id(from.get_my_id());
  lowering::place_at(with, from.place_);
}
detail::sharing_place::~sharing_place() { lowering::place_at(with_, nullptr); }

// ---- running ----

int ff_node::run(bool /*skip_init*/) {
  if (runs_ == nullptr) runs_ = std::make_unique<detail::runs>();
  const bool freezes = std::exchange(runs_->will_freeze, false);
  if (runs_->is_running && wait() < 0) return -1;
  try {
    if (detail::only_writes_configurations()) {
      detail::write_configuration(detail::lowering(*this, nullptr, false).graph());
      return 0;
    }
    auto made = std::make_unique<detail::run_state>(*this, runs_->loads, freezes);
    runs_->offloads = made->lowered.in;
    runs_->loads = made->lowered.out;
    runs_->running = made->lowered.running();
    runs_->is_frozen = freezes;
    runs_->is_stopped = false;
    detail::lowering::note_times(*this, true);
    made->now.emplace(weir::start(made->net));
    runs_->last = std::move(made);
    runs_->is_running = true;
    return 0;
  } catch (...) {
    return detail::complain();
  }
}

int ff_node::wait() {
  if (runs_ == nullptr || !runs_->is_running) return 0;
  int code = 0;
  try {
    runs_->last->report = runs_->last->now->wait();
  } catch (...) {
    code = detail::complain();
  }
  runs_->is_running = false;
  runs_->running->store(0, std::memory_order_release);  // also nodes that ran in other processes
  detail::lowering::note_times(*this, false);
  return code;
}

int ff_node::run_and_wait_end() {
  if (runs_ != nullptr && runs_->is_frozen) {
    if (isFarm()) {
      stop();
      thaw();
      return wait();
    }
    error("run_and_wait_end of what is frozen: only a farm can do so; use thaw and wait\n");
    return -1;
  }
  return run() < 0 ? -1 : wait();
}

int ff_node::run_and_freeze() {
  if (runs_ == nullptr) runs_ = std::make_unique<detail::runs>();
  runs_->will_freeze = true;
  return run();
}

int ff_node::run_then_freeze(ssize_t /*workers*/) { return run_and_freeze(); }
int ff_node::wait_freezing() { return wait(); }
void ff_node::stop() {
  if (runs_ != nullptr) runs_->is_stopped = true;
}
int ff_node::freeze(ssize_t /*workers*/) {
  if (runs_ == nullptr) runs_ = std::make_unique<detail::runs>();
  runs_->is_frozen = true;
  return 0;
}
int ff_node::thaw(bool freeze_again, ssize_t /*workers*/) {
  if (runs_ != nullptr && runs_->is_stopped) {
    runs_->is_frozen = runs_->is_stopped = false;
    return 0;
  }
  return freeze_again ? run_and_freeze() : run();
}
bool ff_node::isfrozen() const { return runs_ != nullptr && runs_->is_frozen; }
bool ff_node::done() const {
  return runs_ == nullptr || runs_->running == nullptr || runs_->running->load(std::memory_order_acquire) == 0;
}

// ---- nodes that run by themselves ----

namespace {

detail::node_queues& queues_in(std::unique_ptr<detail::node_queues>& of) {
  if (of == nullptr) of = std::make_unique<detail::node_queues>();
  return *of;
}

std::size_t slots_of(int slots) { return static_cast<std::size_t>(std::max(slots, 0)); }

}  // namespace

bool ff_node::change_inputqueuesize(std::size_t slots, std::size_t& before) {
  FFBUFFER* const queue = get_in_buffer();
  before = queue != nullptr ? queue->changesize(slots) : 0;
  return queue != nullptr;
}
bool ff_node::change_outputqueuesize(std::size_t slots, std::size_t& before) {
  FFBUFFER* const queue = get_out_buffer();
  before = queue != nullptr ? queue->changesize(slots) : 0;
  return queue != nullptr;
}

FFBUFFER* ff_node::get_in_buffer() const {
  if (queues_ == nullptr) return nullptr;
  return queues_->own_in != nullptr ? queues_->own_in.get() : queues_->shown_in.get();
}

FFBUFFER* ff_node::get_out_buffer() const {
  if (queues_ == nullptr) return nullptr;
  return queues_->out.empty() ? queues_->shown_out.get() : queues_->out.front();
}

int ff_node::create_input_buffer(int slots, bool fixed) {
  detail::node_queues& of = queues_in(queues_);
  if (of.own_in != nullptr) return -1;
  of.own_in = std::make_unique<detail::task_queue>(slots_of(slots), fixed);
  of.in.push_back(of.own_in.get());
  return 0;
}

int ff_node::create_output_buffer(int slots, bool fixed) {
  detail::node_queues& of = queues_in(queues_);
  if (of.own_out != nullptr) return -1;
  of.own_out = std::make_unique<detail::task_queue>(slots_of(slots), fixed);
  of.out.push_back(of.own_out.get());
  return 0;
}

int ff_node::set_input_buffer(FFBUFFER* from) {
  if (from == nullptr) return -1;
  queues_in(queues_).in.push_back(from);
  return 0;
}
// The queues of a network are not for others.
int ff_node::set_input(ff_node* from) {
  FFBUFFER* const queue = from->get_out_buffer();
  const bool is_shown = from->queues_ != nullptr && queue == from->queues_->shown_out.get();
  return is_shown ? -1 : set_input_buffer(queue);
}
int ff_node::set_input(const svector<ff_node*>& from) {
  for (ff_node* const each : from) {
    if (set_input(each) < 0) return -1;
  }
  return 0;
}

int ff_node::set_output_buffer(FFBUFFER* to) {
  if (to == nullptr) return -1;
  queues_in(queues_).out.push_back(to);
  return 0;
}
int ff_node::set_output(ff_node* to) {
  FFBUFFER* const queue = to->get_in_buffer();
  const bool is_shown = to->queues_ != nullptr && queue == to->queues_->shown_in.get();
  return is_shown ? -1 : set_output_buffer(queue);
}
int ff_node::set_output(const svector<ff_node*>& to) {
  for (ff_node* const each : to) {
    if (set_output(each) < 0) return -1;
  }
  return 0;
}

void ff_buffernode::set(int slots, bool fixed, int id) {
  queues_ = nullptr;
  create_input_buffer(slots, fixed);
  set_id(id);
}

bool ff_buffernode::gather_task(void** task, unsigned long retry, unsigned long) {
  if (retry != static_cast<unsigned long>(-1))
    return retry != 0 && detail::try_often(retry - 1, [&] { return get(task); });
  *task = get_in_buffer()->take();
  return true;
}
bool ff_buffernode::ff_send_out(void* task, int, unsigned long retry, unsigned long) {
  if (retry != static_cast<unsigned long>(-1))
    return retry != 0 && detail::try_often(retry - 1, [&] { return put(task); });
  get_in_buffer()->put(task);
  return true;
}

// ---- times ----

double ff_node::ffTime() { return detail::milliseconds(getstarttime(), getstoptime()); }
double ff_node::ffwTime() { return ffTime(); }
double ff_node::wffTime() { return ffTime(); }
const timeval ff_node::getstarttime() const { return detail::lowering::times_of(*this).first; }
const timeval ff_node::getstoptime() const { return detail::lowering::times_of(*this).second; }
const timeval ff_node::getwstartime() const { return getstarttime(); }
const timeval ff_node::getwstoptime() const { return getstoptime(); }

void ff_node::ffStats(std::ostream& out) {
  out << detail::name_of(*this) << ": " << ffTime() << " ms\n";
  if (runs_ != nullptr && runs_->last != nullptr && runs_->last->report) out << *runs_->last->report;
}

// ---- accelerators ----

bool ff_pipeline::offload(void* task, unsigned long retry, unsigned long) {
  return detail::offload_to(detail::lowering::runs_of(*this).get(), task, retry);
}
bool ff_pipeline::load_result(void** task, unsigned long retry, unsigned long) {
  return detail::load_from(detail::lowering::runs_of(*this).get(), task, retry);
}
bool ff_pipeline::load_result_nb(void** task) {
  return detail::load_now_from(detail::lowering::runs_of(*this).get(), task);
}
bool ff_farm::offload(void* task, unsigned long retry, unsigned long) {
  return detail::offload_to(detail::lowering::runs_of(*this).get(), task, retry);
}
bool ff_farm::load_result(void** task, unsigned long retry, unsigned long) {
  return detail::load_from(detail::lowering::runs_of(*this).get(), task, retry);
}
bool ff_farm::load_result_nb(void** task) {
  return detail::load_now_from(detail::lowering::runs_of(*this).get(), task);
}

namespace detail {
namespace {

int try_to_build(ff_node& block) {
  try {
    const run_state tried(block, nullptr, false);
    return 0;
  } catch (...) {
    return complain();
  }
}

}  // namespace
}  // namespace detail

int ff_pipeline::dryrun() { return detail::try_to_build(*this); }
int ff_farm::dryrun() { return detail::try_to_build(*this); }
int ff_a2a::dryrun() { return detail::try_to_build(*this); }

void ff_node::get_out_nodes(svector<ff_node*>& nodes) {
  if (place_ != nullptr && isMultiOutput()) {
    place_->add_consumers(nodes, false);
  } else {
    detail::lowering::add_last_nodes(*this, nodes);
  }
}
void ff_node::get_out_nodes_feedback(svector<ff_node*>& nodes) {
  if (place_ != nullptr) place_->add_consumers(nodes, true);
}

}  // namespace ff
