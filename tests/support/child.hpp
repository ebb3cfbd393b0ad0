// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace weir_test {

/// Whether a forked child may start threads, and gets its signals at once; the thread sanitizer
/// does neither.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool threads_start_in_a_child = false;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
inline constexpr bool threads_start_in_a_child = false;
#else
inline constexpr bool threads_start_in_a_child = true;
#endif
#else
inline constexpr bool threads_start_in_a_child = true;
#endif

/// The exit code of a child that calls `f`, which returns whether all is well; 1000 and the number
/// of the signal that ended it. It is killed if that takes for ever.
template <class F>
int in_a_child(F&& f) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(120);
    bool well = false;
    try {
      well = f();
    } catch (...) {
    }
    ::_exit(well ? 0 : 1);
  }
  int status = -1;
  while (::waitpid(child, &status, 0) == -1 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

}  // namespace weir_test
