// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/pool.hpp"

#include "weir/run/run.hpp"

#include "run/live_server.hpp"
#include "run/start_thread.hpp"
#include "run/yield.hpp"

#include <dlfcn.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>
#include <utility>

namespace weir::detail {
namespace {

constexpr int spin_pauses = 64;        // between two looks
constexpr int search_spins = 2;        // number of first looks that do not yield the core
constexpr int own_thread_yields = 32;  // yields of a thread that runs one node, before it sleeps
constexpr unsigned fairness_picks =
    61;  // after this many picks, an activation that has waited for as many comes first: no starvation

// Spins for about three microseconds, or until there is news.
template <class News>
bool spin_until(News&& news) noexcept {
  for (int i = 0; i != spin_pauses; ++i) {
    if (news()) return true;
    pause_thread();
  }
  return news();
}
void spin() noexcept {
  spin_until([] { return false; });
}

cpu_set_t allowed_processors() noexcept {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
    for (int i = 0; i != CPU_SETSIZE; ++i) CPU_SET(i, &allowed);
  }
  return allowed;
}

}  // namespace

// For code in the program itself, the call changes nothing. Two threads may both make it. A static
// variable with an initialiser would let a child that is forked meanwhile wait for ever, and so
// would the lock of the loader, which a child need not take once its parent has.
void pool::stay_loaded() noexcept {
  static constinit std::atomic<bool> stays{false};
  if (stays.load(std::memory_order_relaxed)) return;
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&stay_loaded), &here) == 0 || here.dli_fname == nullptr) return;
  static_cast<void>(dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE));
  stays.store(true, std::memory_order_relaxed);
}

thread_local constinit pool::thread* pool::this_thread_ = nullptr;
thread_local constinit pool* pool::this_pool_ = nullptr;

pool::pool(std::size_t workers, const std::vector<int>& pins)
    : allowed_(allowed_processors()), threads_([this](thread& me) { main(me); }) {
  for (std::size_t i = 0; i != std::max<std::size_t>(workers, 1); ++i) {
    cores_.push_back(std::make_unique<pool_core>());
    if (i < pins.size()) cores_.back()->pin = pins[i];
  }
  try {
    for (auto& core : cores_) give_core(*core, threads_.take());
    monitor_ = std::make_unique<std::thread>(start_thread([this] { monitor(); }));
  } catch (...) {
    shut_down();
    throw;
  }
}

pool::~pool() { shut_down(); }

void pool::shut_down() noexcept {
  stop_.store(true);
  monitor_place_.unpark();
  if (monitor_ != nullptr) monitor_->join();
  threads_.join_all();
}

// ---- threads ----

void pool::main(thread& me) {
  this_thread_ = &me;
  this_pool_ = this;
  me.place.park();  // until it has work
  while (!stop_.load(std::memory_order_relaxed)) {
    if (me.own != nullptr) run_own(me);
    if (me.core != nullptr) work(me);
    if (!become_spare(me)) return;
  }
}

bool pool::become_spare(thread& me) noexcept {
  if (me.pinned) stay_on(me, -1);
  // A sleep in `work()` may have taken the destructor's token already.
  if (stop_.load()) return false;
  threads_.put_back(me);
  // The destructor's only token may have woken the thread elsewhere.
  if (!stop_.load()) me.place.park();
  return !stop_.load(std::memory_order_relaxed);
}

void pool::give_core(pool_core& core, thread& to) noexcept {
  to.core = &core;
  core.owner.store(&to, std::memory_order_release);
  to.place.unpark();
}

void pool::stay_on(thread& me, int processor) noexcept {
  cpu_set_t one;
  CPU_ZERO(&one);
  if (processor >= 0) CPU_SET(processor, &one);
  me.pinned = processor >= 0;
  // Best effort: a processor may have been taken from the process.
  sched_setaffinity(0, sizeof one, processor >= 0 ? &one : &allowed_);
}

// ---- workers ----

void pool::work(thread& me) {
  if (me.core->pin >= 0) stay_on(me, me.core->pin);
  while (!stop_.load(std::memory_order_relaxed)) {
    if (joins_.any() && !help(me)) return;  // first: a thread waits for it
    activation* next = pick(me);
    if (next == nullptr) next = search(me);
    if (next == nullptr) {
      if (!joins_.any()) sleep(me);
      continue;
    }
    if (!run_one(me, *next)) return;
  }
}

void pool::begin_step(thread& me, std::uint64_t takes) noexcept {
  pool_core& core = *me.core;
  core.step_takes.store(takes, std::memory_order_relaxed);
  me.step = core.step.load(std::memory_order_relaxed) + 1;
  me.core_lost = false;
  core.step.store(me.step, std::memory_order_release);
  if (core.shares() && searchers_.fenced()) wake_one();
}

// Ends a step. @return whether this thread still owns its core
bool pool::end_step(thread& me) noexcept {
  pool_core& core = *me.core;
  std::uint64_t expected = me.step;
  // Release: what the step did is visible to the next owner of the core. The exchange fails if the
  // core was taken meanwhile.
  if (core.step.compare_exchange_strong(expected, me.step + 1, std::memory_order_acq_rel)) return true;
  me.core = nullptr;
  // The thread would have run the activations that it made ready at the end of its step, but the
  // core was taken.
  if (core.ready.size() != 0 && searchers_.fenced()) wake_one();
  return false;
}

// Runs `ready` once. @return whether this thread still owns its core
bool pool::run_one(thread& me, activation& ready) {
  pool_core& core = *me.core;
  begin_step(me, me.light.is_little() ? ready.last_run() : short_step);
  leave_rest_to_monitor();
  me.current.store(&ready, std::memory_order_release);
  run_context& context = ready.context();
  if (ready.traits.blocking) {
    try {
      hand_over_core(core_loss::declared);
    } catch (...) {
      context.fail(ready.path(), std::current_exception());
    }
  }
  const activation::outcome how = ready.run(me.this_run);
  me.light.add(me.this_run);
  me.current.store(nullptr, std::memory_order_release);
  const bool kept = end_step(me);
  if (how == activation::outcome::again) {
    if (kept) {
      me.goes_on = true;
      core.ready.push_front(ready, me.picks);
    } else {
      enqueue(ready, cause::any);
    }
  } else if (how == activation::outcome::ended) {
    context.one_ended();
  }
  return kept;
}

// A thread that made an activation ready while a worker was idle, or searching, told no other
// thread. That worker may have found another activation, and not come back from it. So it tells the
// monitor of the activations that it leaves. If the monitor saw nothing ready before it slept, the
// activation was made ready after the monitor's fence, and the load here comes later still.
void pool::leave_rest_to_monitor() noexcept {
  if (!sleepers_.asymmetric()) native_atomics::fence_full();
  if (monitor_asleep_.load(std::memory_order_relaxed) && something_ready()) monitor_place_.unpark();
}

activation* pool::pick(thread& me) noexcept {
  pool_core& core = *me.core;
  const bool had_its_turn = std::exchange(me.goes_on, false);
  const bool oldest_first = ++me.picks % fairness_picks == 0;
  if (oldest_first || had_its_turn) {
    if (activation* oldest = injected_.pop_front()) return oldest;
  }
  if (oldest_first) {
    if (activation* overdue = core.ready.pop_overdue(me.picks, fairness_picks)) return overdue;
  }
  if (activation* latest = core.ready.pop_back()) return latest;
  if (activation* next = injected_.pop_front()) return next;
  return steal(me);
}

activation* pool::steal(thread& me) noexcept {
  const std::size_t count = cores_.size();
  for (std::size_t i = 0; i != count; ++i) {
    pool_core& other = *cores_[(me.picks + i) % count];
    if (&other == me.core || !other.shares()) continue;
    if (activation* stolen = other.ready.pop_front()) return stolen;
  }
  return nullptr;
}

// A worker that searches long and finds only a light activation that a running worker would hand on
// searches for half as long the next time. Without the searcher, the running worker would do that
// itself at the end of its step. But if such activations come often, sleeping and being woken would
// take longer than searching.
activation* pool::search(thread& me) noexcept {
  searchers_.begin();
  activation* found = nullptr;
  bool handed_on = false;
  bool others_want_the_core = false;
  int round = 0;
  for (; round != me.search_rounds && found == nullptr && !others_want_the_core; ++round) {
    if (stop_.load(std::memory_order_relaxed)) break;
    if (spin_until([this] { return joins_.any(); })) break;
    if (round >= search_spins)
      others_want_the_core = yield_to_others();  // threads that are no workers bring or take items
    found = pick(me);
    if (found == nullptr && scan(me)) {
      found = pick(me);
      handed_on = true;
    }
  }
  if (found != nullptr) {
    const bool in_vain = handed_on && is_light(*found) && round > me.search_rounds / 2;
    me.search_rounds = in_vain ? std::max(me.search_rounds / 2, 1) : most_search_rounds;
  }
  const bool last = searchers_.end();
  if (found != nullptr && last) leave_rest();
  return found;
}

// Makes consumers ready for which running activations have written items. @return whether there is
// now anything to take
bool pool::scan(thread& me) noexcept {
  me.scanning.fetch_add(1, std::memory_order_relaxed);
  native_atomics::fence_full();  // pairs with the one in wait_until_unseen()
  threads_.for_each([&](thread& other) {
    if (&other == &me) return;
    if (activation* running = other.current.load(std::memory_order_acquire)) running->offer();
  });
  me.scanning.fetch_add(1, std::memory_order_release);
  return something_to_take(me);
}

// A thread that ran an activation until it waited may still have it as its `current` one although
// other threads have since run it to its end. While it is a `current` one, other threads may see it
// in a scan. So the function first waits until no thread has it as its current one, then until the
// scans under way have ended.
void pool::wait_until_unseen(const std::vector<std::unique_ptr<activation>>& ended) noexcept {
  threads_.for_each([&](const thread& each) {
    for (;;) {
      const activation* const running = each.current.load(std::memory_order_acquire);
      const auto is_running = [=](const auto& one) { return one.get() == running; };
      if (running == nullptr || std::none_of(ended.begin(), ended.end(), is_running)) break;
      std::this_thread::yield();
    }
  });
  // Pairs with the one in scan(): a thread not seen to scan yet sees what was seen above.
  native_atomics::fence_full();
  threads_.for_each([](const thread& each) {
    const std::uint64_t seen = each.scanning.load(std::memory_order_acquire);
    if (seen % 2 == 0) return;
    while (each.scanning.load(std::memory_order_acquire) == seen) std::this_thread::yield();
  });
}

// A port that leads to another thread checks only `sleepers_` after each item, so a call counts as
// a sleeper there.
void pool::call_senders() noexcept {
  called_.announce();
  sleepers_.announce();
}

void pool::end_call() noexcept {
  called_.withdraw();
  sleepers_.withdraw();
}

void pool::sleep(thread& me) noexcept {
  {
    const std::lock_guard lock(idle_mutex_);
    idle_.push_back(&me);
    idle_count_.store(idle_.size(), std::memory_order_relaxed);
  }
  sleepers_.announce();
  if (stop_.load() || something_to_take(me) || scan(me)) {
    const std::lock_guard lock(idle_mutex_);
    const auto at = std::find(idle_.begin(), idle_.end(), &me);
    if (at != idle_.end()) {
      idle_.erase(at);
      idle_count_.store(idle_.size(), std::memory_order_relaxed);
      sleepers_.withdraw();
      return;
    }
    // Another thread is waking this one already. Its token must be taken.
  }
  me.place.park();
  sleepers_.withdraw();
}

// Called when this worker, the last one to search, stops although there may be more to do, or
// begins work that may take long. See `searchers`.
void pool::leave_rest() noexcept {
  if (searchers_.fenced() && help_is_needed()) wake_one();
}

bool pool::help_is_needed() const noexcept {
  return injected_.size() != 0 || joins_.any() ||
         std::any_of(cores_.begin(), cores_.end(), [](const auto& core) { return core->shares(); });
}

// Whether `pick` would find anything.
bool pool::something_to_take(const thread& me) const noexcept {
  return me.core->ready.size() != 0 || injected_.size() != 0 || joins_.any() ||
         std::any_of(cores_.begin(), cores_.end(), [](const auto& core) { return core->shares(); });
}

bool pool::something_ready() const noexcept {
  return injected_.size() != 0 || joins_.any() ||
         std::any_of(cores_.begin(), cores_.end(), [](const auto& core) { return core->ready.size() != 0; });
}

void pool::wake_one() noexcept {
  if (searchers_.none()) wake_any();
}

void pool::wake_any() noexcept {
  thread* woken = nullptr;
  {
    const std::lock_guard lock(idle_mutex_);
    if (idle_.empty()) return;
    woken = idle_.back();
    idle_.pop_back();
    idle_count_.store(idle_.size(), std::memory_order_relaxed);
  }
  woken->place.unpark();
}

// Whether a worker or the monitor sleeps and may have to be told of news. If so, executes a full
// fence.
bool pool::fenced_for_sleepers() const noexcept {
  if (searchers_.fenced()) return true;
  if (!monitor_asleep_.load(std::memory_order_relaxed)) return false;
  native_atomics::fence_full();
  return true;
}

// At the end of a step this worker goes on with the activations that it has just made ready. It
// wakes another worker when it begins a longer step.
void pool::enqueue(activation& ready, cause why) noexcept {
  thread* me = this_pool_ == this ? this_thread_ : nullptr;
  pool_core* const own = me != nullptr && !me->core_lost ? me->core : nullptr;
  const bool ending_step = own != nullptr && me->this_run.ending_step;
  const bool light = is_light(ready);  // read now: once `ready` is in a queue, others may run it
  if (own == nullptr) {
    injected_.push_back(ready, 0);
  } else if (ready.gathers()) {
    own->ready.push_front(ready, me->picks);
  } else {
    own->ready.push_back(ready, me->picks);
  }
  // An item must not wait for what a node does after sending it.
  if (own != nullptr && !ending_step && why != cause::room)
    own->step_takes.store(short_step, std::memory_order_relaxed);
  if (!fenced_for_sleepers()) return;
  const auto waits_for_step = [&] {
    if (own == nullptr || own->ready.size() > few_activations) return false;
    return ending_step || (light && own->step_takes.load(std::memory_order_relaxed) < short_step);
  };
  const bool some_idle = idle_count_.load(std::memory_order_relaxed) != 0;
  if (some_idle && !waits_for_step()) {
    wake_one();
  } else if (!(some_idle && ending_step) && monitor_asleep_.load(std::memory_order_relaxed)) {
    monitor_place_.unpark();  // the step may take longer than expected
  }
}

// The activation may have made others ready at the end of that step. This worker runs them only
// later.
void pool::going_on() noexcept {
  thread* me = this_thread_;
  if (me == nullptr || this_pool_ != this || me->core == nullptr || me->core_lost || me->core->ready.size() == 0)
    return;
  me->core->step_takes.store(short_step, std::memory_order_relaxed);
  if (searchers_.fenced()) wake_one();
}

void pool::hand_over_core(core_loss why) {
  thread* me = this_thread_;
  if (me == nullptr || this_pool_ != this || me->core == nullptr || me->core_lost) return;
  thread& spare = threads_.take();
  std::uint64_t expected = me->step;
  me->core_lost = true;
  me->gave_away_for = why;
  me->gave_away_at = std::chrono::steady_clock::now().time_since_epoch().count();
  if (me->core->step.compare_exchange_strong(expected, me->step + 1, std::memory_order_acq_rel)) {
    give_core(*me->core, spare);
  } else {
    threads_.put_back(spare);  // the monitor was faster
  }
}

scheduler::core_status pool::of_this_thread() const noexcept {
  const thread& me = *this_thread_;
  if (me.core == nullptr) return {me.number};
  if (me.core_lost) return {me.number, me.gave_away_for, me.gave_away_at};
  // Pairs with the release in look_at(): a thread that sees that the monitor has taken the core
  // sees what the monitor noted before.
  if (me.core->step.load(std::memory_order_acquire) == me.step) return {me.number};
  return {me.number, me.taken_for.load(std::memory_order_relaxed), me.taken_at.load(std::memory_order_relaxed)};
}

// ---- joins ----

void pool::fork_join(std::size_t pieces, piece_function f) {
  const bool in_a_node = this_pool_ == this && join::current() == nullptr;
  activation* const node = in_a_node ? this_thread_->current.load(std::memory_order_relaxed) : nullptr;
  const std::size_t helpers = std::min(pieces, cores_.size());
  join all(pieces, f, helpers == 0 ? 0 : helpers - 1, node);
  if (helpers > 1) {
    joins_.add(all);
    call_helpers(helpers - 1);
  }
  all.take_part(0);
  if (helpers > 1) {
    joins_.remove(all);
    for (int round = 0; !all.alone() && round != most_search_rounds; ++round) {
      if (spin_until([&] { return all.alone(); })) break;
      if (round >= search_spins) std::this_thread::yield();
    }
    if (!all.alone()) {
      // The core is of no use here until then. Without a spare thread, the core has to wait.
      try {
        if (something_ready()) hand_over_core(core_loss::join);
      } catch (const std::runtime_error&) {
      }
      all.wait_until_alone();
    }
  }
  all.rethrow();
}

// Runs pieces of a join that another thread has begun. @return whether this thread still owns its
// core
bool pool::help(thread& me) noexcept {
  std::size_t worker = 0;
  join* const what = joins_.enter(worker);
  if (what == nullptr) return true;
  begin_step(me, short_step);
  leave_rest();
  leave_rest_to_monitor();
  what->take_part(worker);
  what->leave();
  return end_step(me);
}

// Wakes workers for a join that has been opened. Workers that are searching find it.
void pool::call_helpers(std::size_t most) noexcept {
  if (!fenced_for_sleepers()) return;
  const auto searching = static_cast<std::size_t>(searchers_.count());
  const std::size_t idle = idle_count_.load(std::memory_order_relaxed);
  for (std::size_t i = std::min(most, searching + idle); i > searching; --i) wake_any();
  if (idle + searching == 0 && monitor_asleep_.load(std::memory_order_relaxed)) monitor_place_.unpark();
}

// ---- activations with a thread of their own ----

void pool::run_on_own_thread(activation& what) {
  thread& spare = threads_.take();
  spare.own = &what;
  spare.place.unpark();
}

void pool::run_own(thread& me) {
  activation& what = *me.own;
  run_context& context = what.context();
  if (what.core >= 0) stay_on(me, what.core);
  me.current.store(&what, std::memory_order_release);
  const auto wait = [&] {
    spin();
    for (int i = 0; i != own_thread_yields && what.state.waits(); ++i) {
      if (what.wake_itself()) return;
      std::this_thread::yield();
    }
    if (!what.state.waits()) return what.sleeping_place.park();
    sleepers_.announce();
    if (!what.wake_itself()) what.sleeping_place.park();
    sleepers_.withdraw();
  };
  for (activation::run_record this_run;;) {
    const activation::outcome how = what.run(this_run);
    if (how == activation::outcome::ended) break;
    if (how == activation::outcome::waiting) wait();
  }
  me.current.store(nullptr, std::memory_order_release);
  me.own = nullptr;
  context.one_ended();
}

}  // namespace weir::detail
