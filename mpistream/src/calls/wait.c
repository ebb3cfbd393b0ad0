/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "calls/wait.h"

#include "calls/progress.h"
#include "consumer/consume.h"
#include "producer/produce.h"

int mpistream_is_complete(void* of, int* error) {
  const MPIStream stream = of;
  const producer* const sender = stream->producer;
  int is_sent = sender == NULL;
  if (sender != NULL) *error = mpistream_send_rest(stream->producer, &is_sent);
  /* A rank that still produces cannot wait for the end of all producers. */
  const int waits = stream->consumer != NULL && (sender == NULL || sender->ending);
  return *error == MPI_SUCCESS && is_sent && (!waits || stream->consumer->over);
}

static int wait_for_all(MPIStream* stream) {
  TRY(mpistream_check_stream(stream));
  mpistream_mark_operated((*stream)->channel);
  if ((*stream)->in_callback) return MPISTREAM_ERR_CALL;
  /* Makes progress even if there is nothing to wait for. */
  int did = 0;
  TRY(mpistream_make_progress((*stream)->channel, &did));
  return mpistream_wait_until((*stream)->channel, mpistream_is_complete, *stream);
}

int MPIStream_Wait(MPIStream* stream) { return raise_error_of(stream, wait_for_all(stream)); }

static int test(MPIStream* stream, int* flag) {
  TRY(mpistream_check_stream(stream));
  if (flag == NULL) return MPI_ERR_ARG;
  int did = 0, error = MPI_SUCCESS;
  TRY(mpistream_make_progress((*stream)->channel, &did));
  *flag = mpistream_is_complete(*stream, &error);
  return error;
}

int MPIStream_Test(MPIStream* stream, int* flag) {
  return raise_error_of(stream, test(stream, flag));
}
