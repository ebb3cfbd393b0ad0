/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#ifndef PLASMA_FAILURE_H
#define PLASMA_FAILURE_H

#include <stddef.h>

/** Says why on one line, and ends all ranks with 1. */
_Noreturn void fail(const char* format, ...);

/** Ends the program if not all of standard output can be written. */
void finish_output(void);

/** Fails if `error`, of MPI or MPIStream, is one: "doing: what it says". */
void must(int error, const char* doing);

/** Like realloc, which never fails here: it ends the program instead. */
void* more_memory(void* old, size_t count, size_t bytes);

#endif
