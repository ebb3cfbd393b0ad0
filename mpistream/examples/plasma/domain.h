/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#ifndef PLASMA_DOMAIN_H
#define PLASMA_DOMAIN_H

#include "particles.h"

#include <mpi.h>

/** Each mover has the particles of a slab of the box, between two values of x. */
typedef struct {
  MPI_Comm movers;
  int mover, count;
  double* boundaries; /**< count + 1 of them, the same on all movers */
} domain;

/** Slabs of the same width. `movers` stays the caller's. */
domain even_domain(MPI_Comm movers);
void free_domain(domain* slabs);

/**
 * Collective over the movers: each particle goes to the mover of its slab.
 * @param word of the first mover, which travels along
 * @return that word, on all movers
 */
int exchange_particles(const domain* slabs, particles* own, int word);

/** Collective over the movers: moves the boundaries so that each has about the same number of
 * particles. */
void balance_domain(domain* slabs, const particles* own);

#endif
