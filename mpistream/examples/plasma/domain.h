/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#ifndef PLASMA_DOMAIN_H
#define PLASMA_DOMAIN_H

#include "particles.h"

#include <mpi.h>

/** Division of the box into slabs along x. Each mover has the particles of one slab. */
typedef struct {
  MPI_Comm movers;
  int mover, count;
  double* boundaries; /**< count + 1 values of x, the same on all movers */
} domain;

/** Makes slabs of the same width. The caller still owns `movers`. */
domain even_domain(MPI_Comm movers);
void free_domain(domain* slabs);

/**
 * Sends each particle to the mover of its slab. Collective over the movers.
 * @param word a number of the first mover, which is sent along to all movers
 * @return the number of the first mover
 */
int exchange_particles(const domain* slabs, particles* own, int word);

/** Collective over the movers: moves the boundaries so that each has about the same number of
 * particles. */
void balance_domain(domain* slabs, const particles* own);

#endif
