/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "objects.h"

#include <stdlib.h>

int take_contribution(MPIStream stream, const char* message, int bytes, int position, int round) {
  if (round != stream->round || stream->over) return MPI_SUCCESS;
  TRY(MPI_Unpack(message, bytes, &position, stream->unpacked, 1, stream->element,
                 stream->channel->all));
  stream->in_contribution = 1;
  const int error = process_element(stream, stream->unpacked);
  stream->in_contribution = 0;
  return error;
}

static int verdict_bytes(MPIStream stream, int* bytes) {
  TRY(MPI_Pack_size(1, MPI_INT, stream->channel->all, bytes));
  *bytes += stream->process_packed;
  return MPI_SUCCESS;
}

static int decide(const void* answer, MPIStream stream) {
  const MPIStream_Channel channel = stream->channel;
  if (!stream->in_contribution) return MPISTREAM_ERR_CALL;
  int bytes = 0;
  TRY(verdict_bytes(stream, &bytes));
  for (int i = 0; i != channel->producers; ++i) {
    outgoing* const message = new_outgoing((size_t)bytes);
    if (message == NULL) return MPI_ERR_NO_MEM;
    int position = 0;
    TRY(MPI_Pack(&stream->round, 1, MPI_INT, message->memory, bytes, &position, channel->all));
    TRY(MPI_Pack(answer, 1, stream->process, message->memory, bytes, &position, channel->all));
    TRY(post(channel, message, position, channel->producer_ranks[i], tag_of(stream, tag_verdict)));
  }
  ++stream->round;
  /* A second answer would be for the next round. */
  stream->in_contribution = 0;
  return MPI_SUCCESS;
}

static int contribute(const void* element, MPIStream stream) {
  const MPI_Comm all = stream->channel->all;
  int bytes = 0, position = 0;
  TRY(MPI_Pack_size(3, MPI_INT, all, &bytes));
  bytes += stream->element_packed;
  outgoing* const message = new_outgoing((size_t)bytes);
  if (message == NULL) return MPI_ERR_NO_MEM;
  const int head[3] = {control_contribution, stream->own_round, 0};
  TRY(MPI_Pack(head, 3, MPI_INT, message->memory, bytes, &position, all));
  TRY(MPI_Pack(element, 1, stream->element, message->memory, bytes, &position, all));
  return post(stream->channel, message, position, stream->channel->consumer_ranks[0],
              tag_of(stream, tag_control));
}

static int has_verdict(void* of, int* error) {
  int come = 0;
  *error = MPI_Test(&((MPIStream)of)->verdict, &come, MPI_STATUS_IGNORE);
  return come;
}

static int take_part(void* local_result, void* global_result, MPIStream* stream) {
  TRY(check_stream(stream));
  const MPIStream_Channel channel = (*stream)->channel;
  if (global_result == NULL) return MPI_ERR_BUFFER;
  /* A predefined operation decides nothing. */
  if ((*stream)->combines != MPI_OP_NULL) return MPISTREAM_ERR_OPERATION;
  if (local_result == NULL && channel->is_consumer) return decide(global_result, *stream);
  if (!channel->is_producer) return MPISTREAM_ERR_ROLE;
  if (local_result == NULL) return MPI_ERR_BUFFER;
  if ((*stream)->ending) return MPISTREAM_ERR_ENDED;
  if ((*stream)->in_callback) return MPISTREAM_ERR_CALL;
  const double begin = trace_now();
  int bytes = 0, position = 0, round = 0, error = MPI_SUCCESS;
  TRY(verdict_bytes(*stream, &bytes));
  if ((*stream)->verdict_memory == NULL &&
      ((*stream)->verdict_memory = malloc((size_t)bytes)) == NULL)
    return MPI_ERR_NO_MEM;
  TRY(MPI_Irecv((*stream)->verdict_memory, bytes, MPI_PACKED, channel->consumer_ranks[0],
                tag_of(*stream, tag_verdict), channel->all, &(*stream)->verdict));
  if (!has_verdict(*stream, &error)) {
    TRY(error);
    TRY(contribute(local_result, *stream));
    TRY(go_on_until(channel, has_verdict, *stream));
  }
  TRY(MPI_Unpack((*stream)->verdict_memory, bytes, &position, &round, 1, MPI_INT, channel->all));
  if (round != (*stream)->own_round) return MPI_ERR_INTERN;
  ++(*stream)->own_round;
  trace_add(trace_threshold, begin);
  return MPI_Unpack((*stream)->verdict_memory, bytes, &position, global_result, 1,
                    (*stream)->process, channel->all);
}

int MPIStream_ThresholdColl(void* local_result, void* global_result, MPIStream* stream) {
  return told_of(stream, take_part(local_result, global_result, stream));
}
