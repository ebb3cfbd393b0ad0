/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* Declarations that the cases of stream_test share. Each case is run on all ranks. */
#ifndef MPISTREAM_CASES_H
#define MPISTREAM_CASES_H

#include "checks.h"

/* Calls of MPI_Test and MPI_Testsome by this rank; see counted_polls.c. */
typedef struct {
  long found;   /* requests that were complete */
  long in_vain; /* tests of a single request that was not complete */
  long of_many; /* tests of many requests at once */
} poll_counts;
extern poll_counts polls;

void a_while(double seconds);
unsigned next_random(unsigned* state);

MPI_Datatype contiguous(int count, MPI_Datatype of);
MPIStream_Channel channel_with(int is_producer, int is_consumer);
/* The last `consumers` ranks consume, the others produce. */
MPIStream_Channel last_consume(int consumers);
int most_consumers(void);

/* Adds numbers of type MPI_LONG. */
MPIStream_Function add;
/* Returns the key of an element, the int at its beginning. */
MPIStream_Key own_key;

void sums(void);
void order(void);
void selections(void);
void least_loaded(void);
void gaps(void);
void structures(void);
void sizes(void);
void several(void);
void many(void);
void few_tests(void);
void both(void);
void neither(void);
void without_waiting(void);
void flushes(void);
void trickles(void);
void queries(void);
void overtaking(void);
void thresholds(void);
void terminals(void);
void freeing(void);
void flood(void);
void pipelines(void);
void misuse(void);
void handlers(void);
void callbacks(void);
void undecided(void);
void decided(void);
void any(void);

#endif
