/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "producer/replies.h"

#include <stdlib.h>

int mpistream_receive_reply(producer* self, reply* into, stream_tag tag, const kept_type* type) {
  const MPIStream stream = self->stream;
  const MPIStream_Channel channel = stream->channel;
  TRY(mpistream_message_bytes(stream, 1, type, &into->bytes));
  if (into->memory == NULL && (into->memory = malloc((size_t)into->bytes)) == NULL)
    return MPI_ERR_NO_MEM;
  return MPI_Irecv(into->memory, into->bytes, MPI_PACKED, channel->consumer_ranks[0],
                   tag_of(stream, tag), channel->all, &into->request);
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

int mpistream_close_reply(reply* which) {
  if (which->request != MPI_REQUEST_NULL) {
    TRY(MPI_Cancel(&which->request));
    TRY(MPI_Wait(&which->request, MPI_STATUS_IGNORE));
  }
  free(which->memory);
  which->memory = NULL;
  return MPI_SUCCESS;
}
