/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#ifndef PLASMA_FIELDS_H
#define PLASMA_FIELDS_H

#include <math.h>

/** The box is a cube around the planet; lengths are in radii of the planet. x points to the sun,
 * the tail lies at negative x, z points north. */
#define PLASMA_HALF_WIDTH 8.0

/**
 * Computes the fields at a place: the dipole of a planet in the origin, softened within the planet,
 * in a weak northward field; and an electric field along y, stronger at one place in the tail. Both
 * together let particles drift from the tail to the sun, faster where the magnetic field is weak.
 * @param electric_strength strength of the electric field, far from that place
 */
static inline void fields_at(const double position[3], double electric_strength, double electric[3],
                             double magnetic[3]) {
  const double moment = 30, background = 0.5, softening = 1;
  const double x = position[0], y = position[1], z = position[2];
  const double squared = x * x + y * y + z * z;
  const double soft = 1 / (squared + softening);
  const double strength = moment * soft * soft * sqrt(soft);
  magnetic[0] = -3 * strength * z * x;
  magnetic[1] = -3 * strength * z * y;
  magnetic[2] = background + strength * (squared - 3 * z * z);
  const double place = -4, more = 3;
  electric[0] = 0;
  electric[1] = electric_strength * (1 + more / (1 + (x - place) * (x - place)));
  electric[2] = 0;
}

#endif
