/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* MPIStream's error classes, its notices, and the calls of MPI's error handlers. Every file of the
 * library may use this one; it relies on MPI only. Internal functions return errors, public
 * functions raise them: see raise_error in channel.h and stream.h. */
#ifndef MPISTREAM_COMMON_ERRORS_H
#define MPISTREAM_COMMON_ERRORS_H

#define MPISTREAM_WITHOUT_MACROS
#include "MPIStream.h"

/* Makes the error classes, in the first call while MPI is running; if MPI fails, in a later one. */
void mpistream_set_up_errors(void);
/* Prints a line to standard error. All that the library prints goes through this function: the
   reason of an error that ends the program, and a trace that can't be written. */
__attribute__((format(printf, 1, 2))) void mpistream_give_notice(const char* format, ...);
/* Calls the error handler of `comm`, unless `error` is MPI_SUCCESS. Returns `error`. */
int mpistream_raise_on(MPI_Comm comm, int error);
/* Calls `handler` for an error on `comm`, whose own handler is another one. Returns `error`. */
int mpistream_raise_with(MPI_Errhandler handler, MPI_Comm comm, int error);
/* Gives `comm` the handler again that it had, and frees the handle. Tries again if MPI refuses it:
 * else all later errors would go to another handler. Returns the first error. */
int mpistream_restore_handler(MPI_Comm comm, MPI_Errhandler* usual);

/* Returns the earlier of two errors. Work that must go on after an error keeps the first one. */
static inline int first_error(int first, int second) {
  return first != MPI_SUCCESS ? first : second;
}

#define TRY(call)                                   \
  do {                                              \
    const int try_error = (call);                   \
    if (try_error != MPI_SUCCESS) return try_error; \
  } while (0)

#endif
