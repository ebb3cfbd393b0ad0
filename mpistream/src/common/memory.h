/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* Memory for objects of MPI's types, whose data need not begin at their address. Types, operations
 * and consumers use it; it relies on MPI only. */
#ifndef MPISTREAM_COMMON_MEMORY_H
#define MPISTREAM_COMMON_MEMORY_H

#include <mpi.h>

/* Allocates zeroed memory for an object whose first byte is `begin` bytes after its address.
 * Returns the address; null: out of memory. */
char* mpistream_new_object(MPI_Aint begin, MPI_Aint room);
void mpistream_free_object(char* address, MPI_Aint begin);

#endif
