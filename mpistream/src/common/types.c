/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "common/types.h"

#include <stdlib.h>

enum { no_leaf = -2, several_leaves = -1 };

static int mixed_in(int mark, int more) {
  return (int)(((unsigned)mark ^ (unsigned)more) * 16777619u & 0x3fffffff);
}

/* Hash of a basic type that is the same on all ranks; handles may differ between ranks. */
static int mark_of(MPI_Datatype type) {
  char name[MPI_MAX_OBJECT_NAME];
  int length = 0, mark = 40389;
  if (MPI_Type_get_name(type, name, &length) != MPI_SUCCESS) return 0;
  for (int i = 0; i != length; ++i) mark = mixed_in(mark, (unsigned char)name[i]);
  /* Fortran types that are chosen by precision and range have no name. */
  int integers = 0, addresses = 0, types = 0, combiner = 0, of_fortran[2] = {0, 0};
  if (MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS)
    return 0;
  if (combiner == MPI_COMBINER_NAMED || integers > 2 || addresses != 0 || types != 0) return mark;
  if (MPI_Type_get_contents(type, integers, 0, 0, of_fortran, NULL, NULL) != MPI_SUCCESS) return 0;
  return mixed_in(mixed_in(mixed_in(mark, combiner), of_fortran[0]), of_fortran[1]);
}

static int is_basic(MPI_Datatype type) {
  int none = 0, combiner = 0;
  return MPI_Type_get_envelope(type, &none, &none, &none, &combiner) == MPI_SUCCESS &&
         (combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
          combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER);
}

int mpistream_keep_type(MPI_Datatype type, const type_facts* facts, kept_type* kept) {
  kept->begin = facts->begin;
  kept->room = facts->room;
  if (is_basic(type)) {
    kept->type = type;
    return MPI_SUCCESS;
  }
  TRY(MPI_Type_dup(type, &kept->type));
  return MPI_Type_commit(&kept->type);
}

void mpistream_drop_type(MPI_Datatype* kept) {
  if (*kept != MPI_DATATYPE_NULL && !is_basic(*kept)) MPI_Type_free(kept);
  *kept = MPI_DATATYPE_NULL;
}

/* Hash of a sequence of basic types: the value of a polynomial in `base` with the types' hashes as
 * coefficients, and `base` to the power of the sequence's length. Sequences can thus be joined and
 * repeated without a list of their types. */
typedef struct {
  unsigned long long value, power;
} sequence;
static const unsigned long long prime = 2147483647, base = 1103515245;
static const sequence empty_sequence = {0, 1};

static sequence joined(sequence a, sequence b) {
  return (sequence){(a.value * b.power + b.value) % prime, a.power * b.power % prime};
}

static sequence repeated(sequence once, long long times) {
  sequence made = empty_sequence;
  for (; times > 0; times /= 2) {
    if (times % 2 != 0) made = joined(made, once);
    once = joined(once, once);
  }
  return made;
}

/* MPI's pair types of a value and an index are structures. */
static sequence sequence_of(MPI_Datatype type, int mark) {
  const struct {
    MPI_Datatype pair, first, second;
  } pairs[] = {{MPI_FLOAT_INT, MPI_FLOAT, MPI_INT},
               {MPI_DOUBLE_INT, MPI_DOUBLE, MPI_INT},
               {MPI_LONG_INT, MPI_LONG, MPI_INT},
               {MPI_SHORT_INT, MPI_SHORT, MPI_INT},
               {MPI_LONG_DOUBLE_INT, MPI_LONG_DOUBLE, MPI_INT},
               {MPI_2INT, MPI_INT, MPI_INT},
               {MPI_2REAL, MPI_REAL, MPI_REAL},
               {MPI_2DOUBLE_PRECISION, MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION},
               {MPI_2INTEGER, MPI_INTEGER, MPI_INTEGER}};
  for (size_t i = 0; i != sizeof pairs / sizeof *pairs; ++i) {
    if (type == pairs[i].pair && type != MPI_DATATYPE_NULL)
      return joined(sequence_of(pairs[i].first, mark_of(pairs[i].first)),
                    sequence_of(pairs[i].second, mark_of(pairs[i].second)));
  }
  return (sequence){(unsigned)mark + 1u, base};
}

static int look_into(MPI_Datatype type, int* leaf, sequence* all) {
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  TRY(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
  if (combiner == MPI_COMBINER_NAMED || types == 0) {
    const int mark = mark_of(type);
    *leaf = *leaf == no_leaf || *leaf == mark ? mark : several_leaves;
    *all = sequence_of(type, mark);
    return MPI_SUCCESS;
  }
  int* const some_integers = malloc(sizeof(int) * (size_t)(integers + 1));
  MPI_Aint* const some_addresses = malloc(sizeof(MPI_Aint) * (size_t)(addresses + 1));
  MPI_Datatype* const inner = malloc(sizeof(MPI_Datatype) * (size_t)types);
  int error = some_integers == NULL || some_addresses == NULL || inner == NULL ? MPI_ERR_NO_MEM
                                                                               : MPI_SUCCESS;
  if (error == MPI_SUCCESS)
    error = MPI_Type_get_contents(type, integers, addresses, types, some_integers, some_addresses,
                                  inner);
  const int is_known = error == MPI_SUCCESS;
  *all = empty_sequence;
  for (int i = 0; error == MPI_SUCCESS && i != types; ++i) {
    /* Every type except a structure consists of one other type, repeated to fill it. */
    sequence one = empty_sequence;
    int whole = 0, part = 0;
    error = look_into(inner[i], leaf, &one);
    if (error == MPI_SUCCESS) error = MPI_Type_size(type, &whole);
    if (error == MPI_SUCCESS) error = MPI_Type_size(inner[i], &part);
    const int times = combiner == MPI_COMBINER_STRUCT ? some_integers[i + 1]
                      : part == 0                     ? 0
                                                      : whole / part;
    *all = joined(*all, repeated(one, times));
  }
  for (int i = 0; is_known && i != types; ++i) mpistream_drop_type(&inner[i]);
  free(some_integers);
  free(some_addresses);
  free(inner);
  return error;
}

int mpistream_look_at_type(MPI_Datatype type, type_facts* facts) {
  MPI_Aint begin = 0, extent = 0;
  *facts = (type_facts){.leaf = no_leaf};
  if (type == MPI_DATATYPE_NULL) return MPISTREAM_ERR_TYPE;
  TRY(MPI_Type_size(type, &facts->size));
  if (facts->size == MPI_UNDEFINED || facts->size <= 0) return MPISTREAM_ERR_TYPE;
  TRY(MPI_Type_get_extent(type, &begin, &extent));
  TRY(MPI_Type_get_true_extent(type, &facts->begin, &facts->room));
  facts->is_dense =
      begin == 0 && facts->begin == 0 && extent == facts->size && facts->room == facts->size;
  sequence all = empty_sequence;
  TRY(look_into(type, &facts->leaf, &all));
  facts->signature = (int)all.value;
  return MPI_SUCCESS;
}
