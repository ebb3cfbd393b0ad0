/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* Checks that a rank prints if they fail. A test program defines the variables and `failed`. */
#ifndef MPISTREAM_CHECKS_H
#define MPISTREAM_CHECKS_H

#include <MPIStream.h>
#include <stdio.h>

extern int rank, size, failures;
extern const char* now_in; /* the case */

void failed(void);

#define EXPECT(what)                                                                            \
  do {                                                                                          \
    if (!(what)) {                                                                              \
      fprintf(stderr, "%s, rank %d of %d, line %d: not so: %s\n", now_in, rank, size, __LINE__, \
              #what);                                                                           \
      failed();                                                                                 \
    }                                                                                           \
  } while (0)
#define OK(call)                                                                                   \
  do {                                                                                             \
    const int ok_error = (call);                                                                   \
    if (ok_error != MPI_SUCCESS) {                                                                 \
      char ok_text[MPI_MAX_ERROR_STRING] = "";                                                     \
      int ok_length = 0;                                                                           \
      MPI_Error_string(ok_error, ok_text, &ok_length);                                             \
      fprintf(stderr, "%s, rank %d of %d, line %d: %s: %s\n", now_in, rank, size, __LINE__, #call, \
              ok_text);                                                                            \
      failed();                                                                                    \
    }                                                                                              \
  } while (0)

#endif
