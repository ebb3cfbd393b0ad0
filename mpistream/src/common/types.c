/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "common/types.h"

#include <stdlib.h>

enum { no_leaf = -2, several_leaves = -1 };

static int mixed_in(int mark, int more) {
  return (int)(((unsigned)mark ^ (unsigned)more) * 16777619u & 0x3fffffff);
}

/* Sets `mark` to the hash of a basic type, which is the same on all ranks; handles may differ. */
static int mark_of(MPI_Datatype type, int* mark) {
  char name[MPI_MAX_OBJECT_NAME];
  int length = 0;
  TRY(MPI_Type_get_name(type, name, &length));
  *mark = 40389;
  for (int i = 0; i != length; ++i) *mark = mixed_in(*mark, (unsigned char)name[i]);
  /* Fortran types that are chosen by precision and range have no name. */
  int integers = 0, addresses = 0, types = 0, combiner = 0, of_fortran[2] = {0, 0};
  TRY(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
  if (combiner == MPI_COMBINER_NAMED || integers > 2 || addresses != 0 || types != 0)
    return MPI_SUCCESS;
  MPI_Aint no_addresses[1];
  MPI_Datatype no_types[1];
  TRY(MPI_Type_get_contents(type, integers, 0, 0, of_fortran, no_addresses, no_types));
  *mark = mixed_in(mixed_in(mixed_in(*mark, combiner), of_fortran[0]), of_fortran[1]);
  return MPI_SUCCESS;
}

static int look_whether_basic(MPI_Datatype type, int* is_basic) {
  int none = 0, combiner = 0;
  TRY(MPI_Type_get_envelope(type, &none, &none, &none, &combiner));
  *is_basic = combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
              combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
  return MPI_SUCCESS;
}

int mpistream_keep_type(MPI_Datatype type, const type_facts* facts, kept_type* kept) {
  int is_basic = 0;
  kept->begin = facts->begin;
  kept->room = facts->room;
  TRY(look_whether_basic(type, &is_basic));
  if (is_basic) {
    kept->type = type;
    return MPI_SUCCESS;
  }
  TRY(MPI_Type_dup(type, &kept->type));
  kept->is_own = 1;
  return MPI_Type_commit(&kept->type);
}

int mpistream_drop_type(kept_type* kept) {
  const int error = kept->is_own ? MPI_Type_free(&kept->type) : MPI_SUCCESS;
  kept->type = MPI_DATATYPE_NULL;
  kept->is_own = 0;
  return error;
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
static int sequence_of(MPI_Datatype type, int mark, sequence* made) {
  const struct {
    MPI_Datatype pair, parts[2];
  } pairs[] = {{MPI_FLOAT_INT, {MPI_FLOAT, MPI_INT}},
               {MPI_DOUBLE_INT, {MPI_DOUBLE, MPI_INT}},
               {MPI_LONG_INT, {MPI_LONG, MPI_INT}},
               {MPI_SHORT_INT, {MPI_SHORT, MPI_INT}},
               {MPI_LONG_DOUBLE_INT, {MPI_LONG_DOUBLE, MPI_INT}},
               {MPI_2INT, {MPI_INT, MPI_INT}},
               {MPI_2REAL, {MPI_REAL, MPI_REAL}},
               {MPI_2DOUBLE_PRECISION, {MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION}},
               {MPI_2INTEGER, {MPI_INTEGER, MPI_INTEGER}}};
  for (size_t i = 0; i != sizeof pairs / sizeof *pairs; ++i) {
    if (type != pairs[i].pair || type == MPI_DATATYPE_NULL) continue;
    sequence both[2];
    for (int part = 0; part != 2; ++part) {
      int of_part = 0;
      TRY(mark_of(pairs[i].parts[part], &of_part));
      TRY(sequence_of(pairs[i].parts[part], of_part, &both[part]));
    }
    *made = joined(both[0], both[1]);
    return MPI_SUCCESS;
  }
  *made = (sequence){(unsigned)mark + 1u, base};
  return MPI_SUCCESS;
}

/* Frees a type that MPI_Type_get_contents has returned. */
static int free_part(MPI_Datatype* type) {
  int is_basic = 0;
  TRY(look_whether_basic(*type, &is_basic));
  return is_basic ? MPI_SUCCESS : MPI_Type_free(type);
}

static int look_into(MPI_Datatype type, int* leaf, sequence* all) {
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  TRY(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
  if (combiner == MPI_COMBINER_NAMED || types == 0) {
    int mark = 0;
    TRY(mark_of(type, &mark));
    *leaf = *leaf == no_leaf || *leaf == mark ? mark : several_leaves;
    return sequence_of(type, mark, all);
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
  for (int i = 0; is_known && i != types; ++i) error = first_error(error, free_part(&inner[i]));
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
