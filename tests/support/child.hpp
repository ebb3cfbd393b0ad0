// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>

namespace weir_test {

/// Whether a forked child may start threads and receives its signals at once. Under the thread
/// sanitizer neither holds.
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

/// Forks a child that calls `f`, which returns whether it succeeded. Returns the child's exit code,
/// or 1000 plus the number of the signal that ended the child. The child is killed after 120
/// seconds.
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

/// Returns whether `f` throws a std::logic_error, as the use of what belongs to the parent does.
template <class F>
bool is_refused(F&& f) {
  try {
    static_cast<void>(f());
  } catch (const std::logic_error&) {
    return true;
  }
  return false;
}

}  // namespace weir_test
