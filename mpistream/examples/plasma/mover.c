/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "mover.h"

#include "failure.h"
#include "fields.h"

#include <math.h>

static void guess_middle(const particle* one, double time_step, double middle[3]) {
  for (int axis = 0; axis != 3; ++axis)
    middle[axis] = one->position[axis] + 0.5 * time_step * one->velocity[axis];
}

/* Computes the velocity at the end of a step from the fields at `middle`: half of the electric
 * push, the magnetic rotation, the other half (Boris, 1970). */
static void push(const particle* one, const mover_setting* setting, const double middle[3],
                 double velocity[3]) {
  double electric[3], magnetic[3], turn[3], before[3], between[3];
  fields_at(middle, setting->electric_strength, electric, magnetic);
  const double half = 0.5 * setting->time_step;
  double squared = 0;
  for (int axis = 0; axis != 3; ++axis) {
    turn[axis] = half * magnetic[axis];
    squared += turn[axis] * turn[axis];
    before[axis] = one->velocity[axis] + half * electric[axis];
  }
  between[0] = before[0] + before[1] * turn[2] - before[2] * turn[1];
  between[1] = before[1] + before[2] * turn[0] - before[0] * turn[2];
  between[2] = before[2] + before[0] * turn[1] - before[1] * turn[0];
  const double scale = 2 / (1 + squared);
  velocity[0] =
      before[0] + scale * (between[1] * turn[2] - between[2] * turn[1]) + half * electric[0];
  velocity[1] =
      before[1] + scale * (between[2] * turn[0] - between[0] * turn[2]) + half * electric[1];
  velocity[2] =
      before[2] + scale * (between[0] * turn[1] - between[1] * turn[0]) + half * electric[2];
}

/* @return the distance that the middle has moved, at most 1, in units of `convergence_unit` */
static long long correct_middle(const particle* one, const mover_setting* setting,
                                double middle[3]) {
  double velocity[3], squared = 0;
  push(one, setting, middle, velocity);
  for (int axis = 0; axis != 3; ++axis) {
    const double better =
        one->position[axis] + 0.25 * setting->time_step * (one->velocity[axis] + velocity[axis]);
    squared += (better - middle[axis]) * (better - middle[axis]);
    middle[axis] = better;
  }
  return (long long)(sqrt(squared < 1 ? squared : 1) / convergence_unit);
}

static void reflect(double* position, double* velocity) {
  const double wall = *position < 0 ? -PLASMA_HALF_WIDTH : PLASMA_HALF_WIDTH;
  if (fabs(*position) <= PLASMA_HALF_WIDTH) return;
  const double mirrored = 2 * wall - *position;
  *position = fabs(mirrored) <= PLASMA_HALF_WIDTH ? mirrored : wall;
  *velocity = -*velocity;
}

static void finish(particle* one, const mover_setting* setting, const double middle[3]) {
  double velocity[3];
  push(one, setting, middle, velocity);
  for (int axis = 0; axis != 3; ++axis) {
    /* Boris's scheme does this with the guessed middle, the implicit scheme with the corrected
     * middle. */
    one->position[axis] = middle[axis] + 0.5 * setting->time_step * velocity[axis];
    one->velocity[axis] = velocity[axis];
    reflect(&one->position[axis], &one->velocity[axis]);
  }
}

static int find_middles(const particles* all, const mover_setting* setting, convergence* test,
                        double (*middles)[3]) {
  for (long i = 0; i != all->count; ++i) guess_middle(&all->at[i], setting->time_step, middles[i]);
  int corrections = 0;
  for (int goes_on = 1; goes_on;) {
    long long error = 0;
    for (long i = 0; i != all->count; ++i)
      error += correct_middle(&all->at[i], setting, middles[i]);
    goes_on = exceeds_tolerance(test, error, corrections++);
  }
  return corrections;
}

int move_particles(particles* all, const mover_setting* setting, long step, convergence* test,
                   output* to) {
  static double(*middles)[3];
  static long room;
  int corrections = 0;
  if (test->way != convergence_none) {
    if (room < all->room)
      middles = more_memory(middles, (size_t)(room = all->room), sizeof *middles);
    corrections = find_middles(all, setting, test, middles);
  }
  /* Records are put out in blocks, while they are in the cache. */
  enum { block = 1024 };
  const particle* tagged[block];
  for (long first = 0; first < all->count; first += block) {
    const long end = first + block < all->count ? first + block : all->count;
    int count = 0;
    for (long i = first; i != end; ++i) {
      particle* const one = &all->at[i];
      double guessed[3];
      if (corrections == 0) guess_middle(one, setting->time_step, guessed);
      finish(one, setting, corrections == 0 ? guessed : middles[i]);
      if (one->output_step == 0 && energy_of(one) <= setting->threshold) continue;
      one->output_step = (double)step;
      tagged[count++] = one;
    }
    if (count != 0) put_out(to, tagged, count);
  }
  return corrections;
}
