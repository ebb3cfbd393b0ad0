// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "model.hpp"

#include <algorithm>

namespace explore {

void memory::reset() noexcept {
  used_ = 0;
  for (unsigned i = 0; i != max_threads; ++i) {
    threads_[i] = {};
    threads_[i].now.clock[i] = 1;
  }
  total_ = heavy_ = {};
}

void memory::join_all(view& into, const view& from) const noexcept {
  join_stamps(into, from);
  for (unsigned i = 0; i != max_threads; ++i) into.clock[i] = std::max(into.clock[i], from.clock[i]);
}

void memory::join_stamps(view& into, const view& from) const noexcept {
  for (unsigned i = 0; i != used_; ++i) into.at[i] = std::max(into.at[i], from.at[i]);
}

void memory::fork(unsigned parent, unsigned child) noexcept {
  join_all(threads_[child].now, threads_[parent].now);
  tick(parent);
}

void memory::join(unsigned parent, unsigned child) noexcept { join_all(threads_[parent].now, threads_[child].now); }

unsigned memory::create(unsigned thread, word initial) {
  if (used_ == max_locations) return max_locations;
  object& where = locations_[used_];
  where.history.clear();
  where.history.push_back({initial, {}});
  where.uses = {};
  where.futex = {};
  where.uses.writer = static_cast<std::uint8_t>(thread);
  where.uses.write_clock = threads_[thread].now.clock[thread];
  where.alive = true;
  return used_++;
}

bool memory::destroy(unsigned thread, unsigned location) noexcept {
  locations_[location].alive = false;
  return ordered_after_all(thread, locations_[location].uses);
}

const char* memory::touch(unsigned thread, unsigned location) noexcept {
  if (location >= used_) return "access to an atomic object that was never constructed";
  if (!locations_[location].alive) return "access to a destroyed atomic object";
  if (!may_read(thread, locations_[location].uses)) {
    return "data race: access to an atomic object whose construction did not happen before";
  }
  return nullptr;
}

stamp memory::oldest(unsigned thread, unsigned location, std::memory_order order) const noexcept {
  const stamp mine = threads_[thread].now.at[location];
  return order == std::memory_order_seq_cst ? std::max(mine, total_.at[location]) : mine;
}

word memory::read(unsigned thread, unsigned location, stamp at, std::memory_order order) noexcept {
  thread_view& mine = threads_[thread];
  const message& found = locations_[location].history[static_cast<std::size_t>(at)];
  mine.now.at[location] = std::max(mine.now.at[location], at);
  if (acquires(order)) {
    join_all(mine.now, found.carried);
  } else {
    join_all(mine.acquired, found.carried);
  }
  if (order == std::memory_order_seq_cst) total_.at[location] = std::max(total_.at[location], at);
  tick(thread);
  return found.value;
}

void memory::append(unsigned thread, unsigned where, word value, std::memory_order order, const view* continued) {
  thread_view& mine = threads_[thread];
  object& target = locations_[where];
  const auto at = static_cast<stamp>(target.history.size());
  mine.now.at[where] = at;
  message written{value, releases(order) ? mine.now : mine.released};
  written.carried.at[where] = at;
  if (continued != nullptr) join_all(written.carried, *continued);
  if (order == std::memory_order_seq_cst) total_.at[where] = at;
  target.history.push_back(written);
  tick(thread);
}

void memory::write(unsigned thread, unsigned location, word value, std::memory_order order) {
  append(thread, location, value, order, nullptr);
}

void memory::update(unsigned thread, unsigned location, word value, std::memory_order order) {
  thread_view& mine = threads_[thread];
  const view carried = locations_[location].history.back().carried;
  join_all(acquires(order) ? mine.now : mine.acquired, carried);
  append(thread, location, value, order, &carried);
}

void memory::fence(unsigned thread, std::memory_order order) noexcept {
  thread_view& mine = threads_[thread];
  if (acquires(order)) join_all(mine.now, mine.acquired);
  if (order == std::memory_order_seq_cst) {
    join_stamps(mine.now, total_);
    join_stamps(total_, mine.now);
  }
  if (releases(order)) mine.released = mine.now;
  tick(thread);
}

void memory::fence_light(unsigned thread) noexcept {
  thread_view& mine = threads_[thread];
  join_stamps(mine.now, heavy_);
  mine.light = mine.now;
}

void memory::fence_heavy(unsigned thread) noexcept {
  fence(thread, std::memory_order_seq_cst);
  thread_view& mine = threads_[thread];
  const view before = mine.now;
  for (unsigned i = 0; i != max_threads; ++i) {
    if (i == thread) continue;
    if (heavy_reaches_all) {
      // The fences of the other threads have no fixed order among themselves; none is assumed to
      // see another's stores.
      join_stamps(mine.now, threads_[i].now);
      join_stamps(threads_[i].now, before);
    } else {
      join_stamps(mine.now, threads_[i].light);
    }
  }
  join_stamps(heavy_, mine.now);
  fence(thread, std::memory_order_seq_cst);
}

void memory::enter_futex(unsigned thread, unsigned location) noexcept {
  join_stamps(threads_[thread].now, locations_[location].futex);
}

void memory::leave_futex(unsigned thread, unsigned location) noexcept {
  join_stamps(locations_[location].futex, threads_[thread].now);
}

void memory::release_into(unsigned thread, view& target) noexcept {
  join_all(target, threads_[thread].now);
  tick(thread);
}

void memory::acquire_from(unsigned thread, const view& source) noexcept {
  join_all(threads_[thread].now, source);
  tick(thread);
}

bool memory::may_read(unsigned thread, access_record& record) noexcept {
  const view& mine = threads_[thread].now;
  record.read_clock[thread] = mine.clock[thread];
  return record.write_clock <= mine.clock[record.writer];
}

bool memory::may_write(unsigned thread, access_record& record) noexcept {
  const bool ordered = ordered_after_all(thread, record);
  record.writer = static_cast<std::uint8_t>(thread);
  record.write_clock = threads_[thread].now.clock[thread];
  return ordered;
}

bool memory::ordered_after_all(unsigned thread, const access_record& record) const noexcept {
  const view& mine = threads_[thread].now;
  if (record.write_clock > mine.clock[record.writer]) return false;
  for (unsigned i = 0; i != max_threads; ++i) {
    if (record.read_clock[i] > mine.clock[i]) return false;
  }
  return true;
}

}  // namespace explore
