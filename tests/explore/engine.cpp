// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "engine.hpp"

#include "arena.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>

namespace explore {
namespace {

engine* active_engine = nullptr;

void freed(const void* block, std::size_t size) {
  if (active_engine != nullptr) active_engine->freed(block, size);
}

}  // namespace

engine::engine(const options& within, const scenario_body& body, const mutation* weakened,
               std::vector<access_site>* sites)
    : within_(within),
      body_(body),
      weakened_(weakened),
      sites_(sites),
      outer_(active_engine),
      fibers_(max_threads, &engine::fiber_body, this) {
  if (outer_ != nullptr) {
    std::fputs("explore: explorations don't nest\n", stderr);
    std::abort();
  }
  active_engine = this;
  arena::on_free = &explore::freed;
  memory_.heavy_reaches_all = within.heavy_reaches_all;
}

engine::~engine() {
  arena::on_free = nullptr;
  active_engine = nullptr;
}

engine& engine::current() {
  if (active_engine == nullptr) {
    std::fputs("explore: an explored type is used outside of an execution\n", stderr);
    std::abort();
  }
  return *active_engine;
}

// ---- calls from outside an execution ----

result engine::explore() {
  using clock = std::chrono::steady_clock;
  const auto from = clock::now();
  result found;
  const auto finish = [&]() -> result& {
    found.seconds = std::chrono::duration<double>(clock::now() - from).count();
    return found;
  };
  for (unsigned round = 0; round <= std::max(within_.preemptions, within_.stale); ++round) {
    const unsigned preemptions = std::min(round, within_.preemptions);
    const unsigned stale = std::min(round, within_.stale);
    search_.bound(preemptions, stale);
    do {
      if (found.executions == within_.max_executions) return finish();
      run_once();
      ++found.executions;
      if (search_.diverged()) {
        ending_ = ending::failed;
        why_ = "the scenario does not repeat itself: other choices than before in the same place";
      }
      if (ending_ == ending::redundant) ++found.redundant;
      if (ending_ == ending::failed) {
        found.failed = true;
        found.preemptions = preemptions;
        found.stale = stale;
        found.message = why_;
        record_trace();
        found.trace = trace_;
        return finish();
      }
    } while (search_.next());
    found.preemptions = preemptions;
    found.stale = stale;
    ++found.rounds;
  }
  found.complete = true;
  return finish();
}

void engine::run_once() {
  arena::reset();
  memory_.reset();
  cells_.reset();
  for (thread_state& thread : threads_) {
    thread.next = {};
    thread.ended = thread.starting = thread.asleep = thread.awaiting = thread.sleeping = thread.read_stale = false;
    thread.own_writes = thread.others_writes_seen = 0;
    thread.watched.clear();
  }
  count_ = 1;
  running_ = 0;
  steps_ = 0;
  tokens_ = 0;
  writes_ = 0;
  search_.begin();
  fibers_.forget();
  fibers_.run(0);
  arena::active = false;
}

void engine::record_trace() {
  const std::string why = why_;
  tracing_ = true;
  trace_.clear();
  run_once();
  tracing_ = false;
  why_ = why;
}

// ---- fibers ----

void engine::fiber_body(void* self, unsigned index) {
  auto& it = *static_cast<engine*>(self);
  if (index == 0) {
    it.run_main();
  } else {
    it.run_thread(index);
  }
}

bool engine::guarded(const std::function<void()>& body) {
  char what[256] = "an exception leaves a thread";
  bool threw = false;
  arena::active = true;
  try {
    body();
  } catch (const std::exception& e) {
    threw = true;
    std::snprintf(what, sizeof what, "an exception leaves a thread: %s", e.what());
  } catch (...) {
    threw = true;
  }
  arena::active = false;
  if (threw) fail_here(what);
  return !threw;
}

void engine::run_main() {
  {
    execution scenario;
    guarded([&] { body_(scenario); });
    count_ = static_cast<unsigned>(scenario.threads_.size()) + 1;
    if (count_ > max_threads) fail_here("too many threads");
    scenario_ = &scenario;
    for (unsigned i = 1; i != count_; ++i) {
      memory_.fork(0, i);
      threads_[i].starting = true;
    }
    operation joining;
    joining.kind = op_kind::join;
    point(joining);
    for (unsigned i = 1; i != count_; ++i) memory_.join(0, i);
    guarded([&] {
      for (auto& last : scenario.finally_) last();
      scenario.finally_.clear();
      scenario.finally_.shrink_to_fit();
      scenario.threads_.clear();
      scenario.threads_.shrink_to_fit();
    });
    arena::active = true;
  }
  arena::active = false;
  if (arena::freed_twice()) fail_here("a block of memory is freed twice");
  if (cells_.alive() != 0) fail_here("an object is never destroyed");
  if (arena::live_blocks() != 0) fail_here("a block of memory is never freed");
  end(ending::finished);
}

void engine::run_thread(unsigned index) {
  guarded(scenario_->threads_[index - 1]);
  threads_[index].ended = true;
  const unsigned next = next_thread();
  running_ = next;
  fibers_.enter(index, next);
  std::abort();
}

void engine::end(ending how) {
  arena::active = false;
  ending_ = how;
  fibers_.leave();
}

void engine::fail(std::string why, const place& where) {
  arena::active = false;
  why_ = std::move(why);
  why_ +=
      " (T" + std::to_string(running_) + ", " + base_name(where.file_name()) + ":" + std::to_string(where.line()) + ")";
  end(ending::failed);
}

void engine::fail_here(const char* why) {
  arena::active = false;
  fail(why, threads_[running_].next.where);
}

// ---- scheduling ----

void engine::point(const operation& op) {
  thread_state& me = threads_[running_];
  me.next = op;
  if (++steps_ > within_.max_steps) fail_here("livelock: too many steps; a loop that needs await() or yield()?");
  if (me.starting) {
    me.starting = false;  // this thread was chosen to run up to this point
  } else {
    const unsigned from = running_;
    const unsigned to = next_thread();
    if (to != from) {
      running_ = to;
      fibers_.enter(from, to);
    }
  }
  wake(op);
}

bool engine::enabled(unsigned thread) const {
  const thread_state& it = threads_[thread];
  if (it.ended) return false;
  switch (it.next.kind) {
    case op_kind::sleep: return !it.sleeping;
    case op_kind::lock:
    case op_kind::park: return static_cast<const token*>(it.next.object)->there;
    case op_kind::await:
      return std::any_of(it.watched.begin(), it.watched.end(),
                         [&](const seen& s) { return s.at < memory_.latest(s.location); });
    case op_kind::yield: return it.read_stale || writes_ - it.own_writes != it.others_writes_seen;
    case op_kind::join:
      return std::all_of(threads_.begin() + 1, threads_.begin() + count_,
                         [](const thread_state& t) { return t.ended; });
    default: return true;
  }
}

unsigned engine::next_thread() {
  thread_state& me = threads_[running_];
  const bool can_go_on = enabled(running_);
  const bool stays = can_go_on && me.next.kind != op_kind::yield;
  std::array<unsigned, max_threads> candidates{};
  unsigned count = 0;
  bool redundant = false;
  if (stays) candidates[count++] = running_;
  if (!stays || search_.may_preempt()) {
    for (unsigned k = 1; k != count_; ++k) {
      const unsigned other = (running_ + k) % count_;
      if (!enabled(other)) continue;
      if (threads_[other].asleep) {
        redundant = true;
      } else {
        candidates[count++] = other;
      }
    }
  }
  if (count == 0 && redundant) end(ending::redundant);
  if (count == 0 && can_go_on) candidates[count++] = running_;
  if (count == 0) fail("deadlock: " + describe_blocked(), me.next.where);
  const unsigned chosen = count == 1 ? candidates[0] : candidates[search_.choose(search::kind::thread, count)];
  if (stays && chosen != running_) {
    // The alternative in which this thread goes on was explored first. If no operation until this
    // thread is continued interferes with its next operation, then that operation might as well
    // have come before the interruption. Everything that follows was then explored in that
    // alternative, at no higher cost.
    search_.preempted();
    me.asleep = within_.prune;
  }
  return chosen;
}

void engine::wake(const operation& done) {
  for (unsigned i = 1; i < count_; ++i) {
    thread_state& other = threads_[i];
    if (other.asleep && i != running_ && !commute(done, other.next)) other.asleep = false;
  }
}

// Whether two operations of different threads have the same effect in either order.
bool engine::commute(const operation& a, const operation& b) noexcept {
  if (a.kind == op_kind::fence_heavy || b.kind == op_kind::fence_heavy) return false;
  if (a.total && b.total) return false;
  if (a.object != nullptr && a.object == b.object) return false;
  return a.location == max_locations || a.location != b.location || (!a.writes && !b.writes);
}

std::string engine::describe_blocked() const {
  std::string all = "no thread can go on:";
  for (unsigned i = 1; i != count_; ++i) {
    const thread_state& it = threads_[i];
    if (it.ended) continue;
    all += " T" + std::to_string(i) + " in " + name_of(it.next.kind) + " at " + base_name(it.next.where.file_name()) +
           ":" + std::to_string(it.next.where.line()) + ";";
  }
  return all;
}

}  // namespace explore
