/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "producer/replies.h"

#include <stdlib.h>

int mpistream_receive_reply(producer* self, reply* into, stream_tag tag, const kept_type* type) {
  const MPIStream stream = self->stream;
  const MPIStream_Channel channel = stream->channel;
  if (into->state != reply_none) return MPI_SUCCESS;
  TRY(mpistream_message_bytes(stream, 1, type, &into->bytes));
  if (into->memory == NULL && (into->memory = malloc((size_t)into->bytes)) == NULL)
    return MPI_ERR_NO_MEM;
  TRY(MPI_Irecv(into->memory, into->bytes, MPI_PACKED, channel->consumer_ranks[0],
                tag_of(stream, tag), channel->all, &into->request));
  into->state = reply_awaited;
  return MPI_SUCCESS;
}

int mpistream_has_reply(void* of, int* error) {
  reply* const which = of;
  int has_come = which->state == reply_arrived;
  if (has_come) return 1;
  *error = test_request(which->channel, &which->request, &has_come);
  if (has_come) which->state = reply_arrived;
  return has_come;
}

int mpistream_read_reply(producer* self, reply* from, int* number) {
  from->position = 0;
  return MPI_Unpack(from->memory, from->bytes, &from->position, number, 1, MPI_INT,
                    self->stream->channel->all);
}

int mpistream_read_reply_object(producer* self, reply* from, const kept_type* type, void* object) {
  return MPI_Unpack(from->memory, from->bytes, &from->position, object, 1, type->type,
                    self->stream->channel->all);
}

void mpistream_end_reply(reply* which) {
  which->state = reply_none;
  which->is_asked = 0;
}

int mpistream_close_reply(reply* which) {
  if (which->state == reply_awaited) {
    /* If these fail, MPI may still write to the memory. */
    TRY(MPI_Cancel(&which->request));
    TRY(MPI_Wait(&which->request, MPI_STATUS_IGNORE));
  }
  free(which->memory);
  which->memory = NULL;
  mpistream_end_reply(which);
  return MPI_SUCCESS;
}
