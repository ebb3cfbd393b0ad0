// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "queues.hpp"

#include "weir/detail/channel/atomics.hpp"
#include "weir/detail/ports/ports.hpp"

#include "task.hpp"

#include <utility>

namespace ff::detail {

using weir::detail::channel;
using weir::detail::host;
using weir::detail::out_port;
using weir::detail::progress;

// ---- the queue ----

void task_queue::add(void* task) {
  tasks_.push_back(task);
  changed_.notify_all();
  if (wake_ != nullptr) wake_(whom_);
}

bool task_queue::push(void* task) {
  const std::lock_guard lock(mutex_);
  if (task == nullptr || !has_room()) return false;
  add(task);
  return true;
}

void task_queue::put(void* task) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return has_room(); });
  add(task);
}

bool task_queue::pop(void** task) {
  const std::lock_guard lock(mutex_);
  if (tasks_.empty()) return false;
  *task = tasks_.front();
  tasks_.pop_front();
  changed_.notify_all();
  return true;
}

void* task_queue::take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !tasks_.empty(); });
  void* const task = tasks_.front();
  tasks_.pop_front();
  changed_.notify_all();
  return task;
}

std::size_t task_queue::length() const {
  const std::lock_guard lock(mutex_);
  return tasks_.size() + shown_.load(std::memory_order_relaxed);
}

std::size_t task_queue::buffersize() const {
  const std::lock_guard lock(mutex_);
  return slots_;
}

std::size_t task_queue::changesize(std::size_t slots) {
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
  return std::exchange(slots_, slots);
}

void task_queue::tell(void (*wake)(void* whom), void* whom) {
  const std::lock_guard lock(mutex_);
  wake_ = wake;
  whom_ = whom;
}

// ---- the nodes ----

void wake_with(task_queue& from, weir::detail::ports& at) {
  from.tell(
      [](void* whom) {
        weir::detail::native_atomics::fence_full();
        static_cast<host*>(whom)->notify(weir::detail::cause::input);
      },
      &at.owner());
}

// The lowest bit is 1, so that an order is no null pointer.
thaw_order::thaw_order(const void* what) : word(number_of(what) >> 2), ends((number_of(what) & 2) != 0) {}
void* thaw_order::as_task() const noexcept { return reinterpret_cast<void*>(word << 2 | (ends ? 2 : 0) | 1); }

void from_queue::start(weir::detail::ports& at) { wake_with(from_, at); }

// If a task comes after the queue was found empty, its thread notifies the node, which then runs
// again.
progress from_queue::step(weir::detail::ports& at, std::size_t budget) {
  for (; budget != 0; --budget) {
    if (at.interrupted()) return progress::waiting_room;
    void* what = nullptr;
    if (!from_.pop(&what)) return at.draining() ? progress::ended : progress::waiting_input;
    if (is_end(what)) return progress::ended;
    at.count(1);
    const task item{what};
    const out_port::place to = at.out().acquire(&item);
    put_task(to.slot, what);
    at.out().commit(to);
  }
  return progress::more;
}

progress to_queue::step(weir::detail::ports& at, std::size_t budget) {
  return at.consume(budget, [&](channel& from, std::size_t count) {
    channel::reader items = from.read(count);
    while (items.more()) {
      void* const what = task_in(items.item());
      items.done();
      if (is_task(what)) to_.put(what);
    }
    return items.count();
  });
}

void to_queue::finish(weir::detail::ports&) { to_.put(FF_EOS); }

}  // namespace ff::detail
