// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

/// A function that a thread is in.
struct stack_frame {
  std::string function{};  ///< empty: not known
  std::string file{};      ///< of its source; empty: not known
  int line = 0;
  std::string module{};  ///< the program or library that has it
};

/// The functions that a thread is in, the innermost first.
struct thread_stack {
  std::vector<stack_frame> frames{};
  std::string problem{};  ///< why there are none, and what to do; else empty
};

/// The stack of a thread of a process on this machine, by `eu-stack` of elfutils. That thread alone
/// stands still, for as long as its frames are collected, milliseconds as a rule; the others go on.
/// Names hold no control characters.
thread_stack stack_of(pid_t process, long thread);

/// The frames in what `eu-stack -i -m -s` prints of one thread.
std::vector<stack_frame> frames_of(std::string_view printed);
