/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* Queries: a producer asks for the present global result. */
#include "calls/progress.h"
#include "common/trace.h"
#include "producer/replies.h"

static int ask(MPIStream stream) {
  producer* const self = stream->producer;
  TRY(mpistream_receive_reply(self, &self->answer, tag_answer, &stream->result));
  if (self->answer.is_asked) return MPI_SUCCESS;
  TRY(mpistream_send_control(stream, &stream->channel->consumer_ranks[0], 1, control_query, 0, 0,
                             NULL, NULL));
  self->answer.is_asked = 1;
  return MPI_SUCCESS;
}

static int read_answer(MPIStream stream, void* resultbuf, int* flag) {
  producer* const self = stream->producer;
  int is_there = 0;
  TRY(mpistream_read_reply(self, &self->answer, &is_there));
  if (is_there) TRY(mpistream_read_reply_object(self, &self->answer, &stream->result, resultbuf));
  *flag = is_there;
  mpistream_end_reply(&self->answer);
  return MPI_SUCCESS;
}

static int check(void* resultbuf, int* flag, const MPIStream* stream) {
  TRY(mpistream_check_producer(stream));
  if (flag == NULL) return MPI_ERR_ARG;
  *flag = 0;
  return resultbuf == NULL ? MPI_ERR_BUFFER : MPI_SUCCESS;
}

static int query(void* resultbuf, int* flag, MPIStream* stream) {
  TRY(check(resultbuf, flag, stream));
  /* Within a callback of the stream this rank could not answer the query for its own part. */
  if ((*stream)->in_callback) return MPISTREAM_ERR_CALL;
  const double begin = trace_now();
  TRY(ask(*stream));
  TRY(mpistream_wait_until((*stream)->channel, mpistream_has_reply, &(*stream)->producer->answer));
  trace_add(trace_query, begin);
  return read_answer(*stream, resultbuf, flag);
}

int MPIStream_Query_pointer(void* resultbuf, int* flag, MPIStream* stream) {
  return raise_error_of(stream, query(resultbuf, flag, stream));
}

static int query_later(void* resultbuf, int* flag, MPIStream* stream) {
  TRY(check(resultbuf, flag, stream));
  int did = 0, error = MPI_SUCCESS;
  TRY(ask(*stream));
  TRY(mpistream_make_progress((*stream)->channel, &did));
  return mpistream_has_reply(&(*stream)->producer->answer, &error)
             ? read_answer(*stream, resultbuf, flag)
             : error;
}

int MPIStream_Iquery_pointer(void* resultbuf, int* flag, MPIStream* stream) {
  return raise_error_of(stream, query_later(resultbuf, flag, stream));
}

int MPIStream_Query(void* resultbuf, int* flag, MPIStream stream) {
  return MPIStream_Query_pointer(resultbuf, flag, &stream);
}
int MPIStream_Iquery(void* resultbuf, int* flag, MPIStream stream) {
  return MPIStream_Iquery_pointer(resultbuf, flag, &stream);
}
