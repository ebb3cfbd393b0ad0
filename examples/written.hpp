// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>

// Returns the exit code of a program that has printed its results. A full disk is noticed only when
// the last of them are written; then it prints a line, and the code is 1.
inline int written(const char* program) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
  std::fprintf(stderr, "%s: can't write standard output\n", program);
  return 1;
}
