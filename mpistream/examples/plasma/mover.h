/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#ifndef PLASMA_MOVER_H
#define PLASMA_MOVER_H

#include "convergence.h"
#include "output.h"
#include "particles.h"

typedef struct {
  double time_step, electric_strength;
  double threshold; /**< a particle with more energy than this is tagged, for ever */
} mover_setting;

/**
 * Moves all particles by a step with Boris's rotation, reflects them at the walls of the box, tags
 * them, and puts the tagged ones out.
 *
 * The fields of a step are those in its middle. That is guessed; with a convergence test it is then
 * corrected, all particles together, until the sum of what corrections change is small enough (the
 * implicit mover of iPIC3D). How often depends on the particles, not on how many movers there are.
 * @return the number of corrections
 */
int move_particles(particles* all, const mover_setting* setting, long step, convergence* test,
                   output* to);

#endif
