/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#ifndef PLASMA_PARTICLES_H
#define PLASMA_PARTICLES_H

/** A particle as it lies in memory, is sent between movers, and is put out: eight doubles (M's
 * listing 2). */
typedef struct {
  double position[3];
  double velocity[3];
  double identity;    /**< 0, 1, ...; unique */
  double output_step; /**< last step in which it was put out, from 1 on; 0: it is not tagged */
} particle;
_Static_assert(sizeof(particle) == 8 * sizeof(double), "A particle is eight doubles without gaps");

/** Particles have mass and charge one. */
double energy_of(const particle* one);

/** The particles of one mover, in no order. */
typedef struct {
  particle* at;
  long count, room;
} particles;

void make_room(particles* all, long room);

/**
 * Appends the particles from `first` up to `end` of a plasma of that temperature at rest, spread
 * evenly over the cube whose edges have twice the length `half_width`. A particle depends only on
 * its identity and the seed.
 */
void append_plasma(particles* all, long first, long end, unsigned long long seed,
                   double temperature, double half_width);

#endif
