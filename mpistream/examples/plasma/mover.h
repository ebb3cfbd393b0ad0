/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#ifndef PLASMA_MOVER_H
#define PLASMA_MOVER_H

#include "convergence.h"
#include "output.h"
#include "particles.h"

typedef struct {
  double time_step, electric_strength;
  double threshold; /**< a particle that has once had more energy than this stays tagged */
} mover_setting;

/**
 * Moves all particles by a step with Boris's rotation, reflects them at the walls of the box, tags
 * them, and puts the tagged particles out.
 *
 * A step uses the fields in its middle, whose position is guessed. With a convergence test the
 * guesses of all particles are corrected together, until the sum of the changes is small enough
 * (the implicit mover of iPIC3D). The number of corrections depends on the particles, not on the
 * number of movers.
 * @return the number of corrections
 */
int move_particles(particles* all, const mover_setting* setting, long step, convergence* test,
                   output* to);

#endif
