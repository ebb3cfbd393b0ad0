/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#ifndef PLASMA_SUMMARY_H
#define PLASMA_SUMMARY_H

#include "options.h"

#include <mpi.h>

/** What one rank has seen of a run. Consumers have moved nothing, and movers have watched nothing.
 */
typedef struct {
  int is_mover;
  double* step_seconds;   /**< of each step; those of a consumer are not used */
  long long particles;    /**< at the end */
  long long put_out;      /**< records, by a mover */
  long long written;      /**< records, by who writes */
  double io_seconds;      /**< of a mover */
  double file_seconds;    /**< in MPI's functions that write */
  double waiting_seconds; /**< in the tests of convergence */
  double corrections, redistributions;
  double alerts, imbalance; /**< as the monitor says */
} rank_summary;

/** Collective over `all`: rank 0 prints it. @return whether nothing has been lost: neither
 * particles nor records */
int write_summary(const rank_summary* own, const options* said, MPI_Comm all);

#endif
