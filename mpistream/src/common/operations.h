/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* The operation of a stream, and MPI's operations in it. MPIStream_Attach makes it, consumers apply
 * it; it relies on memory.h and errors.h. */
#ifndef MPISTREAM_COMMON_OPERATIONS_H
#define MPISTREAM_COMMON_OPERATIONS_H

#include "common/errors.h"

typedef struct {
  MPIStream_Function* intermediate;
  MPI_Op combines; /* used instead of `intermediate` if not MPI_OP_NULL */
  int items;       /* number of items of the process type in an element */
  MPI_Op terminal;
  MPIStream_Function* finishes; /* called on the local result after the last element; may be null */
  MPI_Datatype reduced;         /* `terminal` applies to this type: to so many items of a result */
  int reduced_items;
} stream_operation;

/* Returns MPI's operation that a ready-made intermediate function stands for; else MPI_OP_NULL. */
MPI_Op mpistream_predefined_op(MPIStream_Function* function);
/* Returns the function of which MPIStream_Terminal has made `op`; null: it has not made it. */
MPIStream_Function* mpistream_function_of(MPI_Op op);
/* Sets `accepts` to whether MPI can apply `op` to an object of `type`, whose data begin at `begin`
 * and take `room` bytes; a user-defined operation is always accepted. */
int mpistream_op_accepts(MPI_Op op, MPI_Datatype type, MPI_Aint begin, MPI_Aint room, int* accepts);

#endif
