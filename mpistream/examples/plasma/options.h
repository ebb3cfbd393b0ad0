/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#ifndef PLASMA_OPTIONS_H
#define PLASMA_OPTIONS_H

#include "convergence.h"
#include "output.h"

#include <stdio.h>

/** Options of the command line. */
typedef struct {
  long particles, steps, seed;
  double time_step, temperature, electric_strength, threshold;
  long consumers;
  int io; /**< an output_way */
  const char* output;
  long buffer;
  int convergence; /**< a convergence_way */
  double tolerance;
  lateness slow;
  const char* monitor;
  double imbalance_limit; /**< 0: no alerts */
  int counters, json, help;
} options;

/** @return 1; or 0, with the reason in `problem`, on one line */
int read_options(int argc, char** argv, options* said, char* problem, size_t room);

/** @return whether the options fit that number of ranks; if not, `problem` has the reason */
int check_options(const options* said, int ranks, char* problem, size_t room);

void write_help(FILE* to);

#endif
