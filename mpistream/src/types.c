/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "objects.h"

#include <stdlib.h>

enum { no_leaf = -2, several_leaves = -1 };

/* The same for a basic type on all ranks, whose handles need not be. */
static int mark_of(MPI_Datatype type) {
  char name[MPI_MAX_OBJECT_NAME];
  int length = 0;
  if (MPI_Type_get_name(type, name, &length) != MPI_SUCCESS) return 0;
  unsigned mark = 2166136261u;
  for (int i = 0; i != length; ++i) mark = (mark ^ (unsigned char)name[i]) * 16777619u;
  return (int)(mark & 0x3fffffff);
}

static int is_basic(MPI_Datatype type) {
  int none = 0, combiner = 0;
  return MPI_Type_get_envelope(type, &none, &none, &none, &combiner) == MPI_SUCCESS &&
         (combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX ||
          combiner == MPI_COMBINER_F90_INTEGER);
}

int keep_type(MPI_Datatype type, MPI_Datatype* kept) {
  if (is_basic(type)) {
    *kept = type;
    return MPI_SUCCESS;
  }
  TRY(MPI_Type_dup(type, kept));
  return MPI_Type_commit(kept);
}

void drop_type(MPI_Datatype* kept) {
  if (*kept != MPI_DATATYPE_NULL && !is_basic(*kept)) MPI_Type_free(kept);
  *kept = MPI_DATATYPE_NULL;
}

static int add_leaves(MPI_Datatype type, type_facts* facts) {
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  TRY(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
  if (combiner == MPI_COMBINER_NAMED || types == 0) {
    const int mark = mark_of(type);
    facts->leaves |= 1 << mark % 31;
    facts->leaf = facts->leaf == no_leaf || facts->leaf == mark ? mark : several_leaves;
    return MPI_SUCCESS;
  }
  int* const some_integers = malloc(sizeof(int) * (size_t)(integers + 1));
  MPI_Aint* const some_addresses = malloc(sizeof(MPI_Aint) * (size_t)(addresses + 1));
  MPI_Datatype* const inner = malloc(sizeof(MPI_Datatype) * (size_t)types);
  int error = some_integers == NULL || some_addresses == NULL || inner == NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;
  if (error == MPI_SUCCESS)
    error = MPI_Type_get_contents(type, integers, addresses, types, some_integers, some_addresses, inner);
  for (int i = 0; error == MPI_SUCCESS && i != types; ++i) {
    error = add_leaves(inner[i], facts);
    drop_type(&inner[i]);
  }
  free(some_integers);
  free(some_addresses);
  free(inner);
  return error;
}

int look_at_type(MPI_Datatype type, type_facts* facts) {
  MPI_Aint begin = 0, extent = 0;
  *facts = (type_facts){.leaf = no_leaf};
  if (type == MPI_DATATYPE_NULL) return MPISTREAM_ERR_TYPE;
  TRY(MPI_Type_size(type, &facts->size));
  if (facts->size == MPI_UNDEFINED || facts->size <= 0) return MPISTREAM_ERR_TYPE;
  TRY(MPI_Type_get_extent(type, &begin, &extent));
  TRY(MPI_Type_get_true_extent(type, &facts->begin, &facts->room));
  facts->is_dense = begin == 0 && facts->begin == 0 && extent == facts->size && facts->room == facts->size;
  return add_leaves(type, facts);
}
