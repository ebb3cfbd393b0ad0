/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "particles.h"

#include "failure.h"

#include <math.h>

double energy_of(const particle* one) {
  const double* const v = one->velocity;
  return 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

void make_room(particles* all, long room) {
  if (room <= all->room) return;
  const long half_more = all->room + all->room / 2;
  all->room = room > half_more ? room : half_more;
  all->at = more_memory(all->at, (size_t)all->room, sizeof(particle));
}

/* Steele, Lea, Flood: Fast splittable pseudorandom number generators (OOPSLA 2014). */
static unsigned long long splitmix(unsigned long long* state) {
  unsigned long long mixed = *state += 0x9e3779b97f4a7c15ULL;
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9ULL;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebULL;
  return mixed ^ mixed >> 31;
}

/* Returns a uniform random number in (0, 1). */
static double uniform(unsigned long long* state) {
  return ((double)(splitmix(state) >> 12) + 0.5) * 0x1p-52;
}

/* Returns a normal random number of variance one, by Box and Muller. */
static double normal(unsigned long long* state) {
  const double pi = 3.14159265358979323846;
  const double radius = sqrt(-2 * log(uniform(state)));
  return radius * cos(2 * pi * uniform(state));
}

void append_plasma(particles* all, long first, long end, unsigned long long seed,
                   double temperature, double half_width) {
  make_room(all, all->count + end - first);
  for (long identity = first; identity < end; ++identity) {
    unsigned long long state = seed;
    state = splitmix(&state) ^ (unsigned long long)identity;
    particle* const one = &all->at[all->count++];
    for (int axis = 0; axis != 3; ++axis) {
      one->position[axis] = half_width * (2 * uniform(&state) - 1);
      one->velocity[axis] = sqrt(temperature) * normal(&state);
    }
    one->identity = (double)identity;
    one->output_step = 0;
  }
}
