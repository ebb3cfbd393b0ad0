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

struct left_object {
  const void* what;
  left_object* before;
};
constinit std::atomic<left_object*> left_to_parent{nullptr};

}  // namespace

constinit std::atomic<unsigned> process_mark::forks_{0};
const bool process_mark::counts_ = count_forks();

bool process_mark::count_forks() noexcept {
  constexpr auto before = [] { of_process.lock(); };
  constexpr auto in_parent = [] { of_process.unlock(); };
  constexpr auto in_child = [] {
    forks_.fetch_add(1, std::memory_order_relaxed);
    of_process.unlock();
  };
  return pthread_atfork(before, in_parent, in_child) == 0;
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
  give_notice({"a forked child has come back from ", where_,
               ", whose run goes on in its parent; let the child end there by _exit, or start another program"});
  std::_Exit(code);
}

}  // namespace weir::detail
