/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* Queries: a producer asks for the present global result. */
#include "calls/progress.h"
#include "common/trace.h"
#include "producer/replies.h"

static int ask(MPIStream stream) {
  producer* const self = stream->producer;
  TRY(mpistream_receive_reply(self, &self->answer, tag_answer, &stream->result));
  return mpistream_send_control(stream, stream->channel->consumer_ranks[0], control_query, 0, 0,
                                NULL, NULL);
}

static int read_answer(MPIStream stream, void* resultbuf, int* flag) {
  producer* const self = stream->producer;
  TRY(mpistream_read_reply(self, &self->answer, flag));
  return *flag ? mpistream_read_reply_object(self, &self->answer, &stream->result, resultbuf)
               : MPI_SUCCESS;
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
  MPI_Request* const answer = &(*stream)->producer->answer.request;
  const double begin = trace_now();
  if (*answer == MPI_REQUEST_NULL) TRY(ask(*stream));
  TRY(mpistream_wait_for_request((*stream)->channel, answer));
  trace_add(trace_query, begin);
  return read_answer(*stream, resultbuf, flag);
}

int MPIStream_Query_pointer(void* resultbuf, int* flag, MPIStream* stream) {
  return raise_error_of(stream, query(resultbuf, flag, stream));
}

static int query_later(void* resultbuf, int* flag, MPIStream* stream) {
  TRY(check(resultbuf, flag, stream));
  MPI_Request* const answer = &(*stream)->producer->answer.request;
  int did = 0, has_come = 0;
  if (*answer == MPI_REQUEST_NULL) TRY(ask(*stream));
  TRY(mpistream_make_progress((*stream)->channel, &did));
  TRY(MPI_Test(answer, &has_come, MPI_STATUS_IGNORE));
  return has_come ? read_answer(*stream, resultbuf, flag) : MPI_SUCCESS;
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
