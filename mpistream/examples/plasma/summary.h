/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#ifndef PLASMA_SUMMARY_H
#define PLASMA_SUMMARY_H

#include "options.h"

#include <mpi.h>

/** Measurements of one rank in a run. A consumer has moved no particles, and a mover has monitored
 * none. */
typedef struct {
  int is_mover;
  double* step_seconds;   /**< durations of the steps; not used on a consumer */
  long long particles;    /**< number at the end */
  long long put_out;      /**< number of records, on a mover */
  long long written;      /**< number of records, on a rank that writes */
  double io_seconds;      /**< time for output, on a mover */
  double file_seconds;    /**< time in MPI's functions that write */
  double waiting_seconds; /**< time in the tests of convergence */
  double corrections, redistributions;
  double alerts, imbalance; /**< as reported by the monitor */
} rank_summary;

/** Prints the summary on rank 0. Collective over `all`. @return whether neither particles nor
 * records have been lost */
int write_summary(const rank_summary* own, const options* said, MPI_Comm all);

#endif
