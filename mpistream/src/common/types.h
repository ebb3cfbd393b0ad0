/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* Facts about MPI's types, and types that live as long as a stream. MPIStream_Attach uses them;
 * they rely on errors.h only. */
#ifndef MPISTREAM_COMMON_TYPES_H
#define MPISTREAM_COMMON_TYPES_H

#include "common/errors.h"

typedef struct {
  int size;      /* bytes of data */
  int signature; /* hash of the sequence of basic types in the type, by which MPI defines which
                    types match */
  int leaf;      /* hash of the only basic type in the type; -1: there are several */
  MPI_Aint begin, room; /* extent in memory, from the address of an object */
  int is_dense;         /* without gaps, so that objects can be stored one after the other */
} type_facts;

/* A type of a stream. */
typedef struct {
  MPI_Datatype type;
  int is_own; /* whether the stream frees it */
  int packed; /* most bytes of an object when packed */
  MPI_Aint begin, room;
} kept_type;

int mpistream_look_at_type(MPI_Datatype type, type_facts* facts);
/* Makes a type that lives as long as the stream: a duplicate, or a basic type itself, since MPI's
 * operations do not accept duplicates, and type comparisons do not recognise them. Does not set
 * `packed`, which depends on a communicator. */
int mpistream_keep_type(MPI_Datatype type, const type_facts* facts, kept_type* kept);
int mpistream_drop_type(kept_type* kept);

#endif
