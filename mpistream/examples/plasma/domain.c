/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "domain.h"

#include "failure.h"
#include "fields.h"

#include <stdlib.h>

domain even_domain(MPI_Comm movers) {
  domain slabs = {.movers = movers};
  MPI_Comm_rank(movers, &slabs.mover);
  MPI_Comm_size(movers, &slabs.count);
  slabs.boundaries = more_memory(NULL, (size_t)slabs.count + 1, sizeof(double));
  for (int i = 0; i <= slabs.count; ++i)
    slabs.boundaries[i] = PLASMA_HALF_WIDTH * (2.0 * i / slabs.count - 1);
  return slabs;
}

void free_domain(domain* slabs) { free(slabs->boundaries); }

static int owner_of(const domain* slabs, const particle* one) {
  const double x = one->position[0];
  int first = 0, end = slabs->count;
  while (end - first > 1) {
    const int middle = first + (end - first) / 2;
    if (x < slabs->boundaries[middle]) {
      end = middle;
    } else {
      first = middle;
    }
  }
  return first;
}

static int is_own(const domain* slabs, const particle* one) {
  const int own = slabs->mover;
  const double x = one->position[0];
  return (own == 0 || x >= slabs->boundaries[own]) &&
         (own == slabs->count - 1 || x < slabs->boundaries[own + 1]);
}

int exchange_particles(const domain* slabs, particles* own, int word) {
  const size_t count = (size_t)slabs->count;
  static particle* leaving;
  static long room;
  long gone = 0, kept = 0;
  int* const numbers = more_memory(NULL, 8 * count, sizeof(int));
  int *const going = numbers, *const coming = numbers + count;
  int *const going_from = numbers + 2 * count, *const coming_from = numbers + 3 * count;
  int *const out = numbers + 4 * count, *const in = numbers + 6 * count;
  for (size_t i = 0; i != count; ++i) going[i] = 0;

  /* Particles that leave are moved to the end of `own`, and from there, in the order of their new
   * movers, into `leaving`. */
  long end = own->count;
  while (kept != end) {
    if (is_own(slabs, &own->at[kept])) {
      ++kept;
      continue;
    }
    const particle one = own->at[kept];
    own->at[kept] = own->at[--end];
    own->at[end] = one;
    ++going[owner_of(slabs, &one)];
    ++gone;
  }
  if (room < gone)
    leaving = more_memory(leaving, (size_t)(room = gone + gone / 2), sizeof(particle));
  for (size_t i = 0, at = 0; i != count; ++i) {
    going_from[i] = (int)at;
    at += (size_t)going[i];
  }
  for (long i = kept; i != own->count; ++i)
    leaving[going_from[owner_of(slabs, &own->at[i])]++] = own->at[i];
  for (size_t i = 0; i != count; ++i) going_from[i] -= going[i];

  for (size_t i = 0; i != count; ++i) {
    out[2 * i] = going[i];
    out[2 * i + 1] = word;
  }
  MPI_Alltoall(out, 2, MPI_INT, in, 2, MPI_INT, slabs->movers);
  const int said = in[1];
  int come = 0;
  for (size_t i = 0; i != count; ++i) {
    coming[i] = in[2 * i];
    coming_from[i] = come;
    come += coming[i];
  }
  make_room(own, kept + come);
  MPI_Datatype type;
  MPI_Type_contiguous(8, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  MPI_Alltoallv(leaving, going, going_from, type, own->at + kept, coming, coming_from, type,
                slabs->movers);
  MPI_Type_free(&type);
  own->count = kept + come;
  free(numbers);
  return said;
}

void balance_domain(domain* slabs, const particles* own) {
  enum { bins = 8192 };
  static long long histogram[bins];
  for (int i = 0; i != bins; ++i) histogram[i] = 0;
  const double per_width = bins / (2 * PLASMA_HALF_WIDTH);
  for (long i = 0; i != own->count; ++i) {
    const int bin = (int)((own->at[i].position[0] + PLASMA_HALF_WIDTH) * per_width);
    ++histogram[bin < 0 ? 0 : bin >= bins ? bins - 1 : bin];
  }
  MPI_Allreduce(MPI_IN_PLACE, histogram, bins, MPI_LONG_LONG, MPI_SUM, slabs->movers);
  long long all = 0, below = 0;
  for (int i = 0; i != bins; ++i) all += histogram[i];
  int next = 1;
  for (int i = 0; i != bins && next != slabs->count; ++i) {
    below += histogram[i];
    while (next != slabs->count && below * slabs->count >= all * next)
      slabs->boundaries[next++] = (i + 1) / per_width - PLASMA_HALF_WIDTH;
  }
}
