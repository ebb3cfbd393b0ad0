// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csetjmp>
#include <cstddef>
#include <memory>

namespace explore {

/// A fixed set of stacks that hand one OS thread to each other. A fiber may be abandoned anywhere
/// and started afresh: what was on its stack is forgotten, not unwound. No system call is made
/// after construction.
class fibers {
 public:
  /// What each fiber runs. It must not return: its last act is `leave` or `enter` of another.
  using body = void (*)(void* argument, unsigned index);

  fibers(unsigned count, body what, void* argument);
  ~fibers();
  fibers(const fibers&) = delete;
  fibers& operator=(const fibers&) = delete;

  /// From outside: runs fiber `to` until some fiber leaves.
  void run(unsigned to);

  /// From fiber `from`: goes on in fiber `to`, where that stood or, after `forget`, at its
  /// beginning.
  void enter(unsigned from, unsigned to);

  /// From a fiber: goes on outside, in `run`. The fiber is not continued.
  [[noreturn]] void leave();

  /// From outside: every fiber begins anew when it is next entered.
  void forget() noexcept;

 private:
  struct fiber;
  [[noreturn]] void jump(unsigned to);

  unsigned count_;
  std::unique_ptr<fiber[]> all_;
  std::jmp_buf outside_;
};

}  // namespace explore
