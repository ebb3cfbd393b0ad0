/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "convergence.h"

#include "failure.h"

#include <time.h>

/* Contributions to the present round that the first consumer has received. */
typedef struct {
  long long contributions, sum;
} tally;

/* A stream passes no argument of the program to its function. */
static convergence* deciding;

static void decide(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  tally* const now = inout;
  if (*len == 0) {
    *now = (tally){0, 0};
    return;
  }
  ++now->contributions;
  now->sum += *(const long long*)in;
  long long exceeded = now->sum > deciding->tolerance;
  if (!exceeded && now->contributions != deciding->count) return;
  must(MPIStream_ThresholdColl(NULL, &exceeded, &deciding->stream),
       "answering the test of convergence");
  *now = (tally){0, 0};
}

void attach_convergence(convergence* test, MPIStream_Channel* channel) {
  if (test->way != convergence_threshold) return;
  deciding = test;
  MPI_Datatype of_tally;
  MPI_Type_contiguous(2, MPI_LONG_LONG, &of_tally);
  MPI_Type_commit(&of_tally);
  MPIStream_Operation operation = {decide, MPI_OP_NULL};
  must(MPIStream_Attach(MPI_LONG_LONG, of_tally, MPI_LONG_LONG, &operation, &test->stream, channel),
       "attaching the test of convergence");
  MPI_Type_free(&of_tally);
}

static void be_late(const convergence* test, int number) {
  const int late = test->late.mover == -2 ? number % test->count
                   : number == 0          ? test->late.mover
                                          : -1;
  if (test->mover != late) return;
  const double seconds = test->late.seconds;
  nanosleep(&(struct timespec){.tv_sec = (time_t)seconds,
                               .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)},
            NULL);
}

int exceeds_tolerance(convergence* test, long long error, int number) {
  be_late(test, number);
  const double begin = MPI_Wtime();
  long long exceeded = 0;
  if (test->way == convergence_threshold) {
    must(MPIStream_ThresholdColl(&error, &exceeded, &test->stream), "testing convergence");
  } else {
    long long sum = 0;
    MPI_Allreduce(&error, &sum, 1, MPI_LONG_LONG, MPI_SUM, test->movers);
    exceeded = sum > test->tolerance;
  }
  test->seconds_waiting += MPI_Wtime() - begin;
  return exceeded && number + 1 < test->most;
}
