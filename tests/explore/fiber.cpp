// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The fortified longjmp treats a jump to another stack as an error.
#undef _FORTIFY_SOURCE

#include "fiber.hpp"

#include <setjmp.h>  // NOLINT(modernize-deprecated-headers): _setjmp, which leaves the signal mask alone
#include <sys/mman.h>
#include <ucontext.h>

#include <cstdlib>
#include <new>

namespace explore {

struct fibers::fiber {
  jmp_buf begin;
  jmp_buf where;
  bool fresh = true;
  void* stack = nullptr;
  ucontext_t context;
};

namespace {

constexpr std::size_t stack_bytes = std::size_t{256} << 10;

// The arguments of the trampoline of the fiber under construction; makecontext passes only ints.
struct birth {
  fibers::body run;
  void* argument;
  unsigned index;
  jmp_buf* begin;
  ucontext_t* creator;
} newborn;

void trampoline() {
  const birth mine = newborn;
  if (_setjmp(*mine.begin) == 0) setcontext(mine.creator);
  mine.run(mine.argument, mine.index);
  std::abort();
}

}  // namespace

fibers::fibers(unsigned count, body what, void* argument) : count_(count), all_(new fiber[count]) {
  for (unsigned i = 0; i != count; ++i) {
    fiber& one = all_[i];
    one.stack = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (one.stack == MAP_FAILED) throw std::bad_alloc{};
    mprotect(one.stack, 4096, PROT_NONE);
    ucontext_t creator;
    getcontext(&one.context);
    one.context.uc_stack.ss_sp = one.stack;
    one.context.uc_stack.ss_size = stack_bytes;
    one.context.uc_link = nullptr;
    makecontext(&one.context, trampoline, 0);
    newborn = {what, argument, i, &one.begin, &creator};
    swapcontext(&creator, &one.context);
  }
}

fibers::~fibers() {
  for (unsigned i = 0; i != count_; ++i) munmap(all_[i].stack, stack_bytes);
}

void fibers::jump(unsigned to) {
  fiber& next = all_[to];
  if (next.fresh) {
    next.fresh = false;
    _longjmp(next.begin, 1);
  }
  _longjmp(next.where, 1);
}

[[gnu::noinline]] void fibers::run(unsigned to) {
  if (_setjmp(outside_) == 0) jump(to);
}

[[gnu::noinline]] void fibers::enter(unsigned from, unsigned to) {
  if (_setjmp(all_[from].where) == 0) jump(to);
}

void fibers::leave() { _longjmp(outside_, 1); }

void fibers::forget() noexcept {
  for (unsigned i = 0; i != count_; ++i) all_[i].fresh = true;
}

}  // namespace explore
