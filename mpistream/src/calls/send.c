/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* The calls of producers that send elements, and that end their part. */
#include "calls/progress.h"
#include "common/trace.h"
#include "producer/lanes.h"
#include "producer/produce.h"
#include "producer/selection.h"

/* An element that MPIStream_Send waits with. */
typedef struct {
  producer* by;
  lane* on;
  const void* element;
} sent;

static int is_taken(void* of, int* error) {
  const sent* const what = of;
  int taken = 0;
  *error = mpistream_take_element(what->by, what->on, what->element, &taken);
  return taken;
}

static int is_matched(void* of, int* error) {
  const sent* const what = of;
  *error = mpistream_test_sends(what->by, what->on);
  return *error == MPI_SUCCESS && what->on->flying == 0;
}

static int check_open(const void* element, const MPIStream* stream) {
  TRY(mpistream_check_producer(stream));
  if ((*stream)->producer->ending) return MPISTREAM_ERR_ENDED;
  if ((*stream)->producer->undecided) return MPISTREAM_ERR_CALL;
  return element == NULL ? MPI_ERR_BUFFER : MPI_SUCCESS;
}

static int send(const void* sendbuf, MPIStream* stream) {
  TRY(check_open(sendbuf, stream));
  const double begin = trace_now();
  /* Within the stream's own function its messages are not received: a wait could be for this very
   * call. */
  if ((*stream)->in_callback && is_direct(*stream)) return MPISTREAM_ERR_CALL;
  TRY(take_noted_error((*stream)->channel));
  producer* const self = (*stream)->producer;
  self->used = 1;
  sent what = {self, mpistream_choose_lane(self, sendbuf), sendbuf};
  int error = MPI_SUCCESS;
  const int taken = is_taken(&what, &error);
  TRY(error);
  if (!taken) {
    if ((*stream)->in_callback) return MPISTREAM_ERR_CALL;
    const double waits_from = trace_now();
    TRY(mpistream_wait_until((*stream)->channel, is_taken, &what));
    trace_add(trace_wait, waits_from);
  }
  /* The element has been taken, and MPI reads it from the program's memory. */
  if (is_direct(*stream)) TRY(mpistream_wait_through_errors((*stream)->channel, is_matched, &what));
  trace_add(trace_send, begin);
  return MPI_SUCCESS;
}

int MPIStream_Send(const void* sendbuf, MPIStream* stream) {
  if (sendbuf != NULL && stream != NULL && *stream != NULL && (*stream)->quick.elements != 0) {
    --(*stream)->quick.elements;
    append_element((*stream)->quick.lane, (*stream)->quick.block, sendbuf, (*stream)->element_size);
    return MPI_SUCCESS;
  }
  return raise_error_of(stream, send(sendbuf, stream));
}

static int send_later(const void* sendbuf, MPIStream* stream) {
  TRY(check_open(sendbuf, stream));
  TRY(take_noted_error((*stream)->channel));
  producer* const self = (*stream)->producer;
  self->used = 1;
  lane* const on = mpistream_choose_lane(self, sendbuf);
  int taken = 0;
  TRY(mpistream_take_element(self, on, sendbuf, &taken));
  return taken ? MPI_SUCCESS : mpistream_defer_element(self, on, sendbuf);
}

int MPIStream_Isend(const void* sendbuf, MPIStream* stream) {
  return raise_error_of(stream, send_later(sendbuf, stream));
}

static int is_flushed(void* of, int* error) {
  int done = 0;
  *error = mpistream_flush_blocks(of, &done);
  return done;
}

static int flush(MPIStream* stream) {
  TRY(mpistream_check_producer(stream));
  if ((*stream)->in_callback) return MPISTREAM_ERR_CALL;
  return mpistream_wait_until((*stream)->channel, is_flushed, (*stream)->producer);
}

int MPIStream_Flush(MPIStream* stream) { return raise_error_of(stream, flush(stream)); }

static int begin_termination(MPIStream* stream) {
  TRY(check_open("", stream));
  return mpistream_begin_termination((*stream)->producer);
}

int MPIStream_Iterminate_pointer(MPIStream* stream) {
  return raise_error_of(stream, begin_termination(stream));
}

static int is_sent(void* of, int* error) {
  int done = 0;
  *error = mpistream_send_rest(of, &done);
  return done;
}

static int terminate(MPIStream* stream) {
  TRY(check_open("", stream));
  const double begin = trace_now();
  if ((*stream)->in_callback) return MPISTREAM_ERR_CALL;
  TRY(mpistream_begin_termination((*stream)->producer));
  TRY(mpistream_wait_until((*stream)->channel, is_sent, (*stream)->producer));
  trace_add(trace_terminate, begin);
  return MPI_SUCCESS;
}

int MPIStream_Terminate_pointer(MPIStream* stream) {
  return raise_error_of(stream, terminate(stream));
}

int MPIStream_Terminate(MPIStream stream) { return MPIStream_Terminate_pointer(&stream); }
int MPIStream_Iterminate(MPIStream stream) { return MPIStream_Iterminate_pointer(&stream); }
