/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "common/messages.h"

#include <stdlib.h>

typedef struct outgoing {
  struct outgoing* next;
  MPI_Request request;
  char memory[];
} outgoing;

int mpistream_message_bytes(MPIStream stream, int ints, const kept_type* type, int* bytes) {
  TRY(MPI_Pack_size(ints, MPI_INT, stream->channel->all, bytes));
  if (type != NULL) *bytes += type->packed;
  return MPI_SUCCESS;
}

static int pack(outgoing* message, int room, MPI_Comm comm, const int* ints, int count,
                const kept_type* type, const void* object, int* bytes) {
  *bytes = 0;
  TRY(MPI_Pack(ints, count, MPI_INT, message->memory, room, bytes, comm));
  return object == NULL ? MPI_SUCCESS
                        : MPI_Pack(object, 1, type->type, message->memory, room, bytes, comm);
}

int mpistream_send_message(MPIStream stream, int to, stream_tag tag, const int* ints, int count,
                           const kept_type* type, const void* object) {
  const MPIStream_Channel channel = stream->channel;
  int room = 0, bytes = 0;
  TRY(mpistream_message_bytes(stream, count, object == NULL ? NULL : type, &room));
  outgoing* const message = malloc(sizeof(outgoing) + (size_t)room);
  if (message == NULL) return MPI_ERR_NO_MEM;
  int error = pack(message, room, channel->all, ints, count, type, object, &bytes);
  if (error == MPI_SUCCESS)
    error = MPI_Isend(message->memory, bytes, MPI_PACKED, to, tag_of(stream, tag), channel->all,
                      &message->request);
  if (error != MPI_SUCCESS) {
    free(message);
    return error;
  }
  message->next = channel->outgoing;
  channel->outgoing = message;
  return MPI_SUCCESS;
}

int mpistream_send_control(MPIStream stream, int to, control_kind kind, int number, int flag,
                           const kept_type* type, const void* object) {
  const int head[control_head] = {(int)kind, number, flag};
  return mpistream_send_message(stream, to, tag_control, head, control_head, type, object);
}

int mpistream_read_control(MPIStream stream, control_message* message) {
  int head[control_head] = {0, 0, 0};
  message->position = 0;
  TRY(MPI_Unpack(message->packed, message->bytes, &message->position, head, control_head, MPI_INT,
                 stream->channel->all));
  message->kind = (control_kind)head[0];
  message->number = head[1];
  message->flag = head[2];
  return MPI_SUCCESS;
}

int mpistream_read_object(MPIStream stream, control_message* message, const kept_type* type,
                          void* object) {
  return MPI_Unpack(message->packed, message->bytes, &message->position, object, 1, type->type,
                    stream->channel->all);
}

int mpistream_free_sent_messages(MPIStream_Channel channel) {
  for (outgoing** at = &channel->outgoing; *at != NULL;) {
    int sent = 0;
    outgoing* const each = *at;
    TRY(MPI_Test(&each->request, &sent, MPI_STATUS_IGNORE));
    if (!sent) {
      at = &each->next;
      continue;
    }
    *at = each->next;
    free(each);
  }
  return MPI_SUCCESS;
}
