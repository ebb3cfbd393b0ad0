/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* Scenarios: programs of some calls, which all ranks run while a function of MPI fails on one of
 * them. A call that returns the fault is made again, or given up if the scenario is told so. All
 * other results must be as if nothing had failed. */
#ifndef MPISTREAM_SCENARIOS_H
#define MPISTREAM_SCENARIOS_H

#include "../checks.h"
#include "faults.h"

typedef struct {
  fault_plan plan;
  int is_here;      /* the plan is for this rank */
  int after_create; /* the plan begins after MPIStream_CreateChannel */
  int gives_up;     /* an element whose call has failed is not sent again */
  int may_lose;     /* the channel may lose a message */
} fault_run;

typedef struct {
  const char* name;
  void (*run)(void);
  int first_calls, other_calls; /* of each function that fail: fewer if a run takes long */
  int is_for_two, is_for_all;   /* run on two ranks as well; on more */
  int is_read_by_mpi; /* MPI reads elements from the program's memory; if it fails for long they may
                         be sent twice */
} scenario;
extern const scenario all_scenarios[];
enum {
  scenario_numbers,
  scenario_blocks,
  scenario_several,
  scenario_large,
  scenario_large_gaps,
  scenario_gaps,
  scenario_roles,
  scenario_rounds,
  scenarios
};

extern fault_run now; /* the present run */
extern MPI_Comm own;  /* the channels' communicator, whose handler counts its calls in `handled` */
extern int returned, handled; /* calls that have returned the fault; calls of the handler */
extern int elsewhere;         /* calls that have failed because of the fault on another rank */
extern int is_lost;           /* the channel has lost a message */

void set_up_scenarios(void);

#endif
