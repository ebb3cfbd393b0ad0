/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#ifndef PLASMA_CONVERGENCE_H
#define PLASMA_CONVERGENCE_H

#include <MPIStream.h>

/** Errors are summed in multiples of this unit, so the sum is the same in every order. */
static const double convergence_unit = 0x1p-32;

typedef enum {
  convergence_none,
  convergence_threshold, /**< uses MPIStream_ThresholdColl (M §5.2): movers go on as soon as the
                            sum is too large */
  convergence_allreduce  /**< uses MPI_Allreduce: waits for all movers */
} convergence_way;

/** A mover that is late on purpose, to measure its effect on the other movers. */
typedef struct {
  int mover; /**< -1: none; -2: another one for each test, in turn */
  double seconds;
} lateness;

/** Test of the movers whether the sum of all their errors is small enough. */
typedef struct {
  convergence_way way;
  MPI_Comm movers;
  int mover, count; /**< own number, and number of movers */
  long long tolerance;
  int most; /**< most tests in a step; after them the step goes on with the present error */
  lateness late;
  MPIStream stream;
  double seconds_waiting;
} convergence;

/** Collective over the channel. Attaches nothing unless the way is convergence_threshold. */
void attach_convergence(convergence* test, MPIStream_Channel* channel);

/** Collective over the movers. `number` counts the tests of a step, from 0 on. */
int exceeds_tolerance(convergence* test, long long error, int number);

#endif
