// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The operations of an execution: each announces itself to the scheduler, then takes effect in the
// memory model.
#include "arena.hpp"
#include "engine.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

namespace explore {

// ---- sites and mutations ----

void engine::collect(const access_site& site) {
  const auto same = [&](const access_site& known) { return known.same_place(site); };
  if (std::none_of(sites_->begin(), sites_->end(), same)) sites_->push_back(site);
}

std::memory_order engine::effective(op_kind kind, std::memory_order order, access_site::part what, const place& where) {
  if (order == std::memory_order_relaxed) return order;
  if (sites_ != nullptr) [[unlikely]] {
    collect({where.file_name(), where.line(), where.column(), what, kind, order, {}});
  }
  if (weakened_ != nullptr && weakened_->how == mutation::change::weaken && weakened_->site.is(where, what)) {
    return weakened_->order;
  }
  return order;
}

bool engine::dropped(op_kind kind, access_site::part what, const char* name, const place& where) {
  if (sites_ != nullptr && what != access_site::part::order) [[unlikely]] {
    collect({where.file_name(), where.line(), where.column(), what, kind, std::memory_order_seq_cst, name});
  }
  return weakened_ != nullptr && weakened_->how == mutation::change::drop && weakened_->site.is(where, what);
}

// ---- atomic objects ----

unsigned engine::create(word initial, const place& where) {
  const arena::pause paused;
  const unsigned made = memory_.create(running_, initial);
  if (made == max_locations) fail("too many atomic objects for one execution", where);
  if (tracing_) trace_access("new", made, 0, std::memory_order_relaxed, where);
  return made;
}

void engine::destroy(unsigned location, const place& where) {
  const arena::pause paused;
  if (!memory_.destroy(running_, location)) {
    fail("data race: an atomic object is destroyed while another thread uses it", where);
  }
}

void engine::touch(unsigned location, const place& where) {
  if (const char* wrong = memory_.touch(running_, location)) fail(wrong, where);
}

void engine::watch(unsigned location, stamp at) {
  if (threads_[running_].awaiting) threads_[running_].watched.push_back({location, at});
}

void engine::wrote(unsigned location) {
  thread_state& me = threads_[running_];
  ++writes_;
  ++me.own_writes;
  if (!me.awaiting || location == max_locations) return;
  const stamp latest = memory_.latest(location);
  for (seen& s : me.watched) {
    if (s.location == location && s.at == latest - 1) s.at = latest;  // a store of the thread itself must not wake it
  }
}

word engine::load(unsigned location, std::memory_order order, const place& where) {
  const arena::pause paused;
  order = effective(op_kind::load, order, access_site::part::order, where);
  point({op_kind::load, false, order == std::memory_order_seq_cst, nullptr, location, where});
  touch(location, where);
  const stamp latest = memory_.latest(location);
  const stamp oldest = memory_.oldest(running_, location, order);
  stamp at = latest;
  if (oldest != latest && search_.may_be_stale()) {
    at = static_cast<stamp>(
        latest - static_cast<stamp>(search_.choose(search::kind::message, static_cast<unsigned>(latest - oldest) + 1)));
    if (at != latest) {
      search_.was_stale();
      threads_[running_].read_stale = true;
    }
  }
  const word value = memory_.read(running_, location, at, order);
  watch(location, at);
  if (tracing_) trace_access("load", location, at, order, where);
  return value;
}

void engine::store(unsigned location, word value, std::memory_order order, const place& where) {
  const arena::pause paused;
  order = effective(op_kind::store, order, access_site::part::order, where);
  point({op_kind::store, true, order == std::memory_order_seq_cst, nullptr, location, where});
  touch(location, where);
  memory_.write(running_, location, value, order);
  wrote(location);
  if (tracing_) trace_access("store", location, memory_.latest(location), order, where);
}

word engine::update(unsigned location, word (*compute)(word, word), word operand, std::memory_order order,
                    const place& where) {
  const arena::pause paused;
  order = effective(op_kind::update, order, access_site::part::order, where);
  point({op_kind::update, true, order == std::memory_order_seq_cst, nullptr, location, where});
  touch(location, where);
  const word old = memory_.value(location, memory_.latest(location));
  watch(location, memory_.latest(location));
  memory_.update(running_, location, compute(old, operand), order);
  wrote(location);
  if (tracing_) trace_access("update", location, memory_.latest(location), order, where);
  return old;
}

bool engine::compare(unsigned location, word& expected, word desired, std::memory_order success,
                     std::memory_order failure, bool weak, const place& where) {
  const arena::pause paused;
  success = effective(op_kind::compare, success, access_site::part::order, where);
  failure = effective(op_kind::compare, failure, access_site::part::failure_order, where);
  const bool total = success == std::memory_order_seq_cst || failure == std::memory_order_seq_cst;
  point({op_kind::compare, true, total, nullptr, location, where});
  touch(location, where);
  const stamp latest = memory_.latest(location);
  const bool equal = memory_.value(location, latest) == expected;
  // Choices: use the last message; fail although it is equal; fail because of an older message.
  std::array<stamp, 64> older{};
  unsigned count = 0;
  if (search_.may_be_stale()) {
    if (equal && weak) older[count++] = latest;
    for (stamp at = latest; at-- > memory_.oldest(running_, location, failure) && count != older.size();) {
      if (memory_.value(location, at) != expected) older[count++] = at;
    }
  }
  const unsigned choice = count == 0 ? 0 : search_.choose(search::kind::message, count + 1);
  if (choice == 0 && equal) {
    watch(location, latest);
    memory_.update(running_, location, desired, success);
    wrote(location);
    if (tracing_) trace_access("compare, done", location, memory_.latest(location), success, where);
    return true;
  }
  stamp at = latest;
  if (choice != 0) {
    at = older[choice - 1];
    search_.was_stale();
    threads_[running_].read_stale = true;
  }
  expected = memory_.read(running_, location, at, failure);
  // After a spurious failure, an await looks again at once.
  watch(location, choice != 0 && at == latest ? static_cast<stamp>(latest - 1) : at);
  if (tracing_) trace_access("compare, failed", location, at, failure, where);
  return false;
}

// ---- fences ----

void engine::fence(std::memory_order order, const place& where) {
  const arena::pause paused;
  order = effective(op_kind::fence, order, access_site::part::order, where);
  if (dropped(op_kind::fence, access_site::part::order, "", where)) return;
  point({op_kind::fence, false, order == std::memory_order_seq_cst, nullptr, max_locations, where});
  memory_.fence(running_, order);
  if (tracing_) trace("fence(%s)  %s:%u", name_of(order), base_name(where.file_name()), where.line());
}

void engine::fence_light(const place& where) {
  const arena::pause paused;
  if (dropped(op_kind::fence_light, access_site::part::fence_light, "", where)) return;
  point({op_kind::fence_light, false, false, nullptr, max_locations, where});
  memory_.fence_light(running_);
  if (tracing_) trace("fence_light  %s:%u", base_name(where.file_name()), where.line());
}

void engine::fence_heavy(const place& where) {
  const arena::pause paused;
  if (dropped(op_kind::fence_heavy, access_site::part::fence_heavy, "", where)) return;
  const bool own = !within_.has_fence_heavy || (weakened_ != nullptr && weakened_->how == mutation::change::full &&
                                                weakened_->site.is(where, access_site::part::fence_heavy));
  point({own ? op_kind::fence : op_kind::fence_heavy, false, true, nullptr, max_locations, where});
  if (own) {
    memory_.fence(running_, std::memory_order_seq_cst);
  } else {
    memory_.fence_heavy(running_);
  }
  if (tracing_) trace("%s  %s:%u", own ? "fence(seq_cst)" : "fence_heavy", base_name(where.file_name()), where.line());
}

bool engine::keep(const char* name, const place& where) {
  const arena::pause paused;
  return !dropped(op_kind::load, access_site::part::keep, name, where);
}

// ---- waiting ----

void engine::take(token& from, op_kind kind, const place& where) {
  point({kind, true, false, &from, max_locations, where});
  from.there = false;
  memory_.acquire_from(running_, from.carried);
  if (tracing_) trace("%s, done  %s:%u", name_of(kind), base_name(where.file_name()), where.line());
}

void engine::leave(token& to, op_kind kind, const place& where) {
  point({kind, true, false, &to, max_locations, where});
  to.there = true;
  memory_.release_into(running_, to.carried);
  wrote(max_locations);
  if (tracing_) trace("%s  %s:%u", name_of(kind), base_name(where.file_name()), where.line());
}

void engine::park(token& from, const place& where) {
  const arena::pause paused;
  take(from, op_kind::park, where);
}

void engine::unpark(token& to, const place& where) {
  const arena::pause paused;
  leave(to, op_kind::unpark, where);
}

void engine::lock(token& free, const place& where) {
  const arena::pause paused;
  if (!dropped(op_kind::lock, access_site::part::lock, "", where)) take(free, op_kind::lock, where);
}

void engine::unlock(token& free, const place& where) {
  const arena::pause paused;
  leave(free, op_kind::unlock, where);
}

void engine::futex_wait(unsigned location, word expected, const place& where) {
  const arena::pause paused;
  point({op_kind::wait, false, false, nullptr, location, where});
  touch(location, where);
  memory_.enter_futex(running_, location);
  // Choices: go by the last message; return although it is equal; go by an older message.
  const stamp latest = memory_.latest(location);
  std::array<stamp, 64> others{};
  unsigned count = 0;
  if (search_.may_be_stale()) {
    if (memory_.value(location, latest) == expected) others[count++] = latest;
    for (stamp at = latest;
         at-- > memory_.oldest(running_, location, std::memory_order_relaxed) && count != others.size();)
      others[count++] = at;
  }
  const unsigned choice = count == 0 ? 0 : search_.choose(search::kind::message, count + 1);
  if (choice != 0) search_.was_stale();
  const stamp at = choice == 0 ? latest : others[choice - 1];
  thread_state& me = threads_[running_];
  me.read_stale = me.read_stale || at != latest;
  const bool equal = memory_.read(running_, location, at, std::memory_order_relaxed) == expected;
  me.sleeping = equal && (choice == 0 || at != latest);
  if (tracing_)
    trace_access(me.sleeping ? "wait, sleeps" : "wait, returns", location, at, std::memory_order_relaxed, where);
  if (me.sleeping) point({op_kind::sleep, false, false, nullptr, location, where});
}

void engine::futex_wake(unsigned location, std::size_t most, const place& where) {
  const arena::pause paused;
  point({op_kind::wake, true, false, nullptr, location, where});
  touch(location, where);
  memory_.leave_futex(running_, location);
  wrote(max_locations);
  if (tracing_) trace("wake %zu at #%u  %s:%u", most, location, base_name(where.file_name()), where.line());
  for (; most != 0; --most) {
    std::array<unsigned, max_threads> sleepers{};
    unsigned count = 0;
    for (unsigned i = 1; i != count_; ++i) {
      if (threads_[i].sleeping && threads_[i].next.location == location) sleepers[count++] = i;
    }
    if (count == 0) return;
    const unsigned woken = sleepers[count == 1 ? 0 : search_.choose(search::kind::thread, count)];
    threads_[woken].sleeping = false;
  }
}

void engine::await_begin() {
  threads_[running_].awaiting = true;
  threads_[running_].watched.clear();
}

bool engine::await_end(bool satisfied, const place& where) {
  const arena::pause paused;
  thread_state& me = threads_[running_];
  me.awaiting = false;
  if (satisfied) return true;
  const bool news = std::any_of(me.watched.begin(), me.watched.end(),
                                [&](const seen& s) { return s.at < memory_.latest(s.location); });
  if (!news) point({op_kind::await, false, false, nullptr, max_locations, where});
  return false;
}

void engine::yield(const place& where) {
  const arena::pause paused;
  point({op_kind::yield, false, false, nullptr, max_locations, where});
  thread_state& me = threads_[running_];
  me.read_stale = false;
  me.others_writes_seen = writes_ - me.own_writes;
}

void check(bool holds, const char* message, std::source_location where) {
  if (holds) return;
  const arena::pause paused;
  engine::current().fail(message, where);
}

void yield(std::source_location where) { engine::current().yield(where); }

namespace detail {
void await_begin() {
  const arena::pause paused;
  engine::current().await_begin();
}
bool await_end(bool satisfied, std::source_location where) { return engine::current().await_end(satisfied, where); }
}  // namespace detail

// ---- non-atomic objects ----

void engine::use_cell(const void* object, cell_use how, int value, const place& where) {
  const arena::pause paused;
  if (tracing_) {
    trace("%s object %u, value %d  %s:%u", name_of(how), cells_.number_of(object), value, base_name(where.file_name()),
          where.line());
  }
  if (const char* wrong = cells_.use(memory_, running_, object, how)) fail(wrong, where);
}

void engine::freed(const void* block, std::size_t size) {
  const arena::pause paused;
  if (const char* wrong = cells_.free(memory_, running_, block, size)) fail_here(wrong);
}

// ---- the trace ----

void engine::trace(const char* format, ...) {
  char line[256];
  int used = std::snprintf(line, sizeof line, "%4u  T%u  ", steps_, running_);
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line + used, sizeof line - static_cast<std::size_t>(used), format, arguments);
  va_end(arguments);
  trace_ += line;
  trace_ += '\n';
}

void engine::trace_access(const char* what, unsigned location, stamp at, std::memory_order order, const place& where) {
  const word value = memory_.value(location, at);
  const stamp latest = memory_.latest(location);
  char shown[32];
  if (value == ~word{0}) {
    std::snprintf(shown, sizeof shown, "-1");
  } else {
    std::snprintf(shown, sizeof shown, value > 0xFFFF'FFFFU ? "0x%llx" : "%llu",
                  static_cast<unsigned long long>(value));
  }
  char age[48] = "";
  if (at != latest) std::snprintf(age, sizeof age, ", stale: the last is @%d", latest);
  trace("%s(%s) #%u: %s @%d%s  %s:%u:%u", what, name_of(order), location, shown, at, age, base_name(where.file_name()),
        where.line(), where.column());
}

// ---- entry points ----

result run(const options& within, const scenario_body& body) {
  return engine(within, body, nullptr, nullptr).explore();
}

result run(const options& within, const scenario_body& body, const mutation& weakened) {
  return engine(within, body, &weakened, nullptr).explore();
}

result run(const options& within, const scenario_body& body, std::vector<access_site>& sites) {
  return engine(within, body, nullptr, &sites).explore();
}

std::string result::summary() const {
  char line[200];
  if (failed) {
    std::snprintf(line, sizeof line, " [execution %llu, within %u preemptions and %u stale reads]\n",
                  static_cast<unsigned long long>(executions), preemptions, stale);
    return message + line + trace;
  }
  const int used = std::snprintf(line, sizeof line, "explored %llu executions in %.2f s, ",
                                 static_cast<unsigned long long>(executions), seconds);
  const std::size_t left = sizeof line - static_cast<std::size_t>(used);
  if (rounds == 0) {
    std::snprintf(line + used, left, "cut; nothing is complete");
  } else {
    std::snprintf(line + used, left, "%s %u preemptions and %u stale reads",
                  complete ? "complete within" : "cut; complete only within", preemptions, stale);
  }
  return line;
}

}  // namespace explore
