/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* The calls of consumers that process elements. */
#include "calls/progress.h"
#include "common/trace.h"
#include "consumer/consume.h"
#include "producer/producer.h"

static int begin(const MPIStream* stream) {
  TRY(mpistream_check_consumer(stream));
  if ((*stream)->in_callback) return MPISTREAM_ERR_CALL;
  mpistream_mark_operated((*stream)->channel);
  return MPI_SUCCESS;
}

static int is_over(void* of, int* error) {
  (void)error;
  return ((const consumer*)of)->over;
}

static int operate(MPIStream* stream) {
  TRY(begin(stream));
  /* A rank that has not ended its own part would wait for itself. */
  if ((*stream)->producer != NULL && !(*stream)->producer->ending) return MPISTREAM_ERR_CALL;
  const double from = trace_now();
  TRY(mpistream_wait_until((*stream)->channel, is_over, (*stream)->consumer));
  trace_add(trace_operate, from);
  return MPI_SUCCESS;
}

int MPIStream_Operate(MPIStream* stream) { return raise_error_of(stream, operate(stream)); }

static int operate_on_arrived(MPIStream* stream) {
  TRY(begin(stream));
  /* More messages may arrive meanwhile; the bound is one ring of them. */
  for (int i = 0; i != (*stream)->consumer->elements.count; ++i) {
    int did = 0;
    TRY(mpistream_make_progress((*stream)->channel, &did));
    if (!did) break;
  }
  return MPI_SUCCESS;
}

int MPIStream_Ioperate(MPIStream* stream) {
  return raise_error_of(stream, operate_on_arrived(stream));
}
