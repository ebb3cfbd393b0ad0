// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csetjmp>
#include <cstddef>
#include <memory>

namespace explore {

/// A fixed set of stacks that pass one OS thread to each other. A fiber may be abandoned anywhere
/// and started afresh; its stack is then forgotten, not unwound. No system call is made after
/// construction.
class fibers {
 public:
  /// The function that each fiber runs. It must not return: its last action is `leave` or `enter`
  /// of another fiber.
  using body = void (*)(void* argument, unsigned index);

  fibers(unsigned count, body what, void* argument);
  ~fibers();
  fibers(const fibers&) = delete;
  fibers& operator=(const fibers&) = delete;

  /// Called from outside the fibers: runs fiber `to` until some fiber leaves.
  void run(unsigned to);

  /// Called from fiber `from`: continues fiber `to` at the place where it stopped or, after
  /// `forget`, at its beginning.
  void enter(unsigned from, unsigned to);

  /// Called from a fiber: returns from `run`. The fiber is not continued.
  [[noreturn]] void leave();

  /// Called from outside the fibers: every fiber begins anew when it is next entered.
  void forget() noexcept;

 private:
  struct fiber;
  [[noreturn]] void jump(unsigned to);

  unsigned count_;
  std::unique_ptr<fiber[]> all_;
  std::jmp_buf outside_;
};

}  // namespace explore
