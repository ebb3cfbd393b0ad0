// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

/// A function call on the stack of a thread.
struct stack_frame {
  std::string function{};  ///< empty: not known
  std::string file{};      ///< source file; empty: not known
  int line = 0;
  std::string module{};  ///< the program or library that contains the function
};

/// The functions that a thread is in, the innermost first.
struct thread_stack {
  std::vector<stack_frame> frames{};
  std::string problem{};  ///< why there are no frames, and what to do; else empty
};

/// Returns the stack of a thread of a process on this machine, found by `eu-stack` of elfutils.
/// Only that thread stops while its frames are collected, usually for some milliseconds; the other
/// threads go on. Names hold no control characters.
thread_stack stack_of(pid_t process, long thread);

/// Returns the frames in the output of `eu-stack -i -m -s` for one thread.
std::vector<stack_frame> frames_of(std::string_view printed);
