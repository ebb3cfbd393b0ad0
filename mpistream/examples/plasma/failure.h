/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#ifndef PLASMA_FAILURE_H
#define PLASMA_FAILURE_H

#include <stddef.h>

/** Prints the reason on one line, and ends all ranks with exit status 1. */
_Noreturn void fail(const char* format, ...);

/** Ends the program if not all of standard output can be written. */
void finish_output(void);

/** Fails if `error`, of MPI or MPIStream, is not MPI_SUCCESS: "doing: text of the error". */
void must(int error, const char* doing);

/** Like realloc, but ends the program if there is no memory. */
void* more_memory(void* old, size_t count, size_t bytes);

#endif
