/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "objects.h"

#include <stdlib.h>

static int answer_bytes(MPIStream stream, int* bytes) {
  TRY(MPI_Pack_size(3, MPI_INT, stream->channel->all, bytes));
  *bytes += stream->result_packed;
  return MPI_SUCCESS;
}

static int ask(MPIStream stream) {
  const MPIStream_Channel channel = stream->channel;
  const int root = channel->consumer_ranks[0];
  int bytes = 0;
  TRY(answer_bytes(stream, &bytes));
  if (stream->answer_memory == NULL && (stream->answer_memory = malloc((size_t)bytes)) == NULL)
    return MPI_ERR_NO_MEM;
  TRY(MPI_Irecv(stream->answer_memory, bytes, MPI_PACKED, root, tag_of(stream, tag_answer),
                channel->all, &stream->answer));
  outgoing* const message = new_outgoing((size_t)bytes);
  if (message == NULL) return MPI_ERR_NO_MEM;
  const int head[3] = {control_query, 0, 0};
  int position = 0;
  TRY(MPI_Pack(head, 3, MPI_INT, message->memory, bytes, &position, channel->all));
  return post(channel, message, position, root, tag_of(stream, tag_control));
}

static int read_answer(MPIStream stream, void* resultbuf, int* flag) {
  const MPI_Comm all = stream->channel->all;
  int bytes = 0, position = 0;
  TRY(answer_bytes(stream, &bytes));
  TRY(MPI_Unpack(stream->answer_memory, bytes, &position, flag, 1, MPI_INT, all));
  return *flag ? MPI_Unpack(stream->answer_memory, bytes, &position, resultbuf, 1, stream->result,
                            all)
               : MPI_SUCCESS;
}

static int has_answer(void* of, int* error) {
  int come = 0;
  *error = MPI_Test(&((MPIStream)of)->answer, &come, MPI_STATUS_IGNORE);
  return come;
}

static int check(void* resultbuf, int* flag, const MPIStream* stream) {
  TRY(check_stream(stream));
  if (!(*stream)->channel->is_producer) return MPISTREAM_ERR_ROLE;
  if (flag == NULL) return MPI_ERR_ARG;
  *flag = 0;
  return resultbuf == NULL ? MPI_ERR_BUFFER : MPI_SUCCESS;
}

static int query(void* resultbuf, int* flag, MPIStream* stream) {
  TRY(check(resultbuf, flag, stream));
  /* Within a callback of the stream this rank could not answer the query for its own part. */
  if ((*stream)->in_callback) return MPISTREAM_ERR_CALL;
  const double begin = trace_now();
  if ((*stream)->answer == MPI_REQUEST_NULL) TRY(ask(*stream));
  TRY(go_on_until((*stream)->channel, has_answer, *stream));
  trace_add(trace_query, begin);
  return read_answer(*stream, resultbuf, flag);
}

int MPIStream_Query_pointer(void* resultbuf, int* flag, MPIStream* stream) {
  return told_of(stream, query(resultbuf, flag, stream));
}

static int query_later(void* resultbuf, int* flag, MPIStream* stream) {
  TRY(check(resultbuf, flag, stream));
  int did = 0, error = MPI_SUCCESS;
  if ((*stream)->answer == MPI_REQUEST_NULL) TRY(ask(*stream));
  TRY(go_on((*stream)->channel, &did));
  if (!has_answer(*stream, &error)) return error;
  return read_answer(*stream, resultbuf, flag);
}

int MPIStream_Iquery_pointer(void* resultbuf, int* flag, MPIStream* stream) {
  return told_of(stream, query_later(resultbuf, flag, stream));
}

int MPIStream_Query(void* resultbuf, int* flag, MPIStream stream) {
  return MPIStream_Query_pointer(resultbuf, flag, &stream);
}
int MPIStream_Iquery(void* resultbuf, int* flag, MPIStream stream) {
  return MPIStream_Iquery_pointer(resultbuf, flag, &stream);
}
