// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/graph/process.hpp"

#include "graph/give_notice.hpp"
#include "graph/per_process.hpp"

#include <pthread.h>

#include <cstdlib>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>

namespace weir::detail {
namespace {

constinit std::mutex of_process;
constinit bool sees_no_forks = false;  // written while the library is loaded
constinit std::atomic<const fork_hooks*> hooks_of_forks{nullptr};
constinit const fork_hooks* hooks_of_this_fork = nullptr;  // under the process lock

struct left_object {
  const void* what;
  left_object* before;
};
constinit std::atomic<left_object*> left_to_parent{nullptr};

}  // namespace

constinit std::atomic<unsigned> process_mark::forks_{0};
const bool process_mark::counts_ = count_forks();

bool process_mark::count_forks() noexcept {
  // Another thread may set the hooks between these functions, which must use the same ones.
  constexpr auto before = [] {
    const fork_hooks* const hooks = hooks_of_forks.load(std::memory_order_acquire);
    if (hooks != nullptr) hooks->before();
    of_process.lock();
    hooks_of_this_fork = hooks;
  };
  static constexpr auto after = [](bool in_child) {
    const fork_hooks* const hooks = hooks_of_this_fork;
    of_process.unlock();
    if (hooks != nullptr) hooks->after(in_child);
  };
  constexpr auto in_parent = [] { after(false); };
  constexpr auto in_child = [] {
    forks_.fetch_add(1, std::memory_order_relaxed);
    after(true);
  };
  sees_no_forks = pthread_atfork(before, in_parent, in_child) != 0;
  return !sees_no_forks;
}

void call_at_forks(const fork_hooks& hooks) {
  if (sees_no_forks) throw std::runtime_error("can't see to it that a child of this process has threads of its own");
  hooks_of_forks.store(&hooks, std::memory_order_release);
}

void process_mark::refuse(const char* what) {
  throw std::logic_error(std::string("weir: this ") + what +
                         " belongs to the process that forked this one; make another one in the child");
}

void leave_to_parent(const void* what) noexcept {
  auto* const left = new (std::nothrow) left_object{what, nullptr};
  if (left != nullptr) left->before = left_to_parent.exchange(left, std::memory_order_relaxed);
}

process_lock::process_lock() noexcept { of_process.lock(); }
process_lock::~process_lock() { of_process.unlock(); }

void child_ends_here::end_process() const noexcept {
  print_notice({"a forked child has come back from ", where_,
                ", whose run goes on in its parent; let the child end there by _exit, or start another program"});
  std::_Exit(code);
}

}  // namespace weir::detail
