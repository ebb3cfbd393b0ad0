/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "failure.h"

#include <errno.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void fail(const char* format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fprintf(stderr, "plasma: %s\n", text);
  fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
  exit(1);
}

void finish_output(void) {
  const int failed = ferror(stdout);
  if (fflush(stdout) != 0 || failed) fail("standard output: %s", strerror(errno));
}

void must(int error, const char* doing) {
  if (error == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(error, text, &length);
  fail("%s: %s", doing, text);
}

void* more_memory(void* old, size_t count, size_t bytes) {
  void* const memory = realloc(old, count * bytes + 1);
  if (memory == NULL) fail("no memory for %zu objects of %zu bytes", count, bytes);
  return memory;
}
