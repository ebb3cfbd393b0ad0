// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/live_server.hpp"
#include "run/pool.hpp"

#include <algorithm>
#include <ctime>
#include <stdexcept>
#include <utility>
#include <vector>

namespace weir::detail {
namespace {

using clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::chrono::nanoseconds shortest_look = 1ms;
constexpr std::chrono::nanoseconds longest_look = 4ms;
// A worker that computes keeps its core for this long, although others are ready: two long
// computations must not create more and more threads.
constexpr std::chrono::nanoseconds patience = 100ms;
// If all threads are taken and none comes back, the run fails after this time.
constexpr std::chrono::nanoseconds last_patience = 10s;
// Time between two looks at the runs. Two looks are needed to see that a run can't go on, and this
// must take no more than a second.
constexpr std::chrono::nanoseconds looks_at_runs = 300ms;
constexpr int looks_in_vain_most = 3;  // after this many the monitor sleeps for as long as there are no runs

// Returns nanoseconds of processor time; -1 if the system can't tell.
std::int64_t cpu_time(std::thread& thread) noexcept {
  clockid_t id;
  timespec time;
  if (pthread_getcpuclockid(thread.native_handle(), &id) != 0 || clock_gettime(id, &time) != 0) return -1;
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

// Replaces workers that are stuck inside user code while activations are ready, and sleeps while
// none is ready. Also looks for runs that can't go on.
void pool::monitor() {
  auto period = shortest_look;
  clock::time_point last = clock::now();
  clock::time_point looked_at_runs = last;
  for (int quiet = 0; !stop_.load();) {
    if (quiet >= 2) {
      monitor_asleep_.store(true, std::memory_order_relaxed);
      native_atomics::fence_heavy();  // pairs with the light one in enqueue(), as in basic_sleepers
      if (!something_ready() && !stop_.load()) sleep_until_called();
      monitor_asleep_.store(false, std::memory_order_relaxed);
      quiet = 0;
      period = shortest_look;
      last = clock::now();
      for (auto& core : cores_) core->seen_step = 0;
    }
    monitor_place_.park_for(period);
    const clock::time_point now = clock::now();
    if (now - looked_at_runs >= looks_at_runs) {
      look_at_runs();
      looked_at_runs = now;
    }
    if (!something_ready()) {
      ++quiet;
    } else {
      quiet = 0;
    }
    bool stuck = false;
    for (auto& core : cores_) {
      look_at(*core, now, now - last);
      stuck = stuck || core->since != now;
    }
    period = stuck ? shortest_look : std::min(period * 2, longest_look);
    last = now;
  }
}

void pool::sleep_until_called() noexcept {
  for (int in_vain = 0;;) {
    const bool last = in_vain == looks_in_vain_most;
    const bool none = watched_.none(last);
    if (none && last) return monitor_place_.park();
    in_vain = none ? in_vain + 1 : 0;
    if (monitor_place_.park_for(looks_at_runs)) return;
    look_at_runs();
  }
}

void pool::watch(watched_run& run) {
  if (watched_.add(run)) monitor_place_.unpark();
}

void pool::unwatch(watched_run& run) noexcept { watched_.remove(run); }

void pool::look_at_runs() noexcept {
  live_server::answer_call();
  watched_.look();
}

void pool::look_at(pool_core& core, clock::time_point now, std::chrono::nanoseconds since_last) {
  const std::uint64_t step = core.step.load(std::memory_order_acquire);
  thread* owner = core.owner.load(std::memory_order_acquire);
  const bool in_step = step % 2 == 1;
  const std::int64_t cpu = in_step ? cpu_time(owner->handle) : 0;
  if (!in_step || step != core.seen_step) {
    core.seen_step = step;
    core.seen_cpu = cpu;
    core.since = now;
    return;
  }
  // The step takes longer than expected.
  core.step_takes.store(short_step, std::memory_order_relaxed);
  if (core.shares() && searchers_.fenced()) wake_one();
  const bool blocked = cpu >= 0 && cpu - core.seen_cpu < since_last.count() / 10;
  core.seen_cpu = cpu;
  if (!something_ready() || (!blocked && now - core.since < patience)) return;
  thread* spare = nullptr;
  try {
    spare = &threads_.take();
  } catch (const std::runtime_error& all_taken) {
    if (blocked || now - core.since > last_patience) fail_a_waiting_one(all_taken.what());
    return;
  }
  owner->taken_for.store(blocked ? core_loss::asleep : core_loss::computed, std::memory_order_relaxed);
  owner->taken_at.store(now.time_since_epoch().count(), std::memory_order_relaxed);
  std::uint64_t expected = step;
  if (core.step.compare_exchange_strong(expected, step + 1, std::memory_order_acq_rel)) {
    give_core(core, *spare);
    core.since = now;
  } else {
    threads_.put_back(*spare);
  }
}

// Fails the run of a ready activation for which no thread is available.
void pool::fail_a_waiting_one(const std::string& why) noexcept {
  activation* waiting = injected_.pop_front();
  for (auto& core : cores_) {
    if (waiting == nullptr) waiting = core->ready.pop_front();
  }
  if (waiting == nullptr) return;
  waiting->context().fail(waiting->path(), std::make_exception_ptr(std::runtime_error(why)));
  enqueue(*waiting,
          cause::any);  // also wakes a worker: one may have looked for it in vain and gone to sleep
}

}  // namespace weir::detail
