/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#ifndef PLASMA_CONVERGENCE_H
#define PLASMA_CONVERGENCE_H

#include <MPIStream.h>

/** Errors are summed as whole numbers of this, so that the sum is the same in every order. */
static const double convergence_unit = 0x1p-32;

typedef enum {
  convergence_none,
  convergence_threshold, /**< by MPIStream_ThresholdColl (M §5.2): on with it as soon as the sum is
                            too large */
  convergence_allreduce  /**< by MPI_Allreduce: waits for all */
} convergence_way;

/** A mover that is late, to see what the others make of it. */
typedef struct {
  int mover; /**< -1: nobody; -2: another one for each test, in turn */
  double seconds;
} lateness;

/** The test of the movers whether all their errors together are small enough. */
typedef struct {
  convergence_way way;
  MPI_Comm movers;
  int mover, count; /**< own number, and how many there are */
  long long tolerance;
  int most; /**< tests of a step; then it goes on with what there is */
  lateness late;
  MPIStream stream;
  double seconds_waiting;
} convergence;

/** Collective over the channel. Without convergence_threshold there is nothing to attach. */
void attach_convergence(convergence* test, MPIStream_Channel* channel);

/** Collective over the movers. `number` of this test in its step, from 0 on. */
int exceeds_tolerance(convergence* test, long long error, int number);

#endif
