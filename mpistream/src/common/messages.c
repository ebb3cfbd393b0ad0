/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "common/messages.h"

#include <stdlib.h>
#include <string.h>

typedef struct outgoing {
  struct outgoing* next;
  MPI_Request request;
  int to, tag, bytes;
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

static int start(MPIStream_Channel channel, outgoing* message) {
  TRY(MPI_Isend(message->memory, message->bytes, MPI_PACKED, message->to, message->tag,
                channel->all, &message->request));
  message->next = channel->outgoing;
  channel->outgoing = message;
  return MPI_SUCCESS;
}

/* Messages to one rank must not overtake each other: none is started before an older one. */
static void post(MPIStream_Channel channel, outgoing* message) {
  if (channel->unsent == NULL) {
    const int error = start(channel, message);
    if (error == MPI_SUCCESS) return;
    note_error(channel, error);
  }
  outgoing** end = &channel->unsent;
  while (*end != NULL) end = &(*end)->next;
  *end = message;
  message->next = NULL;
}

static void drop(outgoing* messages) {
  while (messages != NULL) {
    outgoing* const each = messages;
    messages = each->next;
    free(each);
  }
}

int mpistream_send_message(MPIStream stream, const int* to, int receivers, stream_tag tag,
                           const int* ints, int count, const kept_type* type, const void* object) {
  const MPIStream_Channel channel = stream->channel;
  int room = 0, bytes = 0;
  outgoing* made = NULL;
  if (receivers == 0) return MPI_SUCCESS;
  TRY(mpistream_message_bytes(stream, count, object == NULL ? NULL : type, &room));
  for (int i = receivers; i-- != 0;) {
    outgoing* const message = malloc(sizeof(outgoing) + (size_t)room);
    const int error = message == NULL ? MPI_ERR_NO_MEM
                      : made != NULL
                          ? MPI_SUCCESS
                          : pack(message, room, channel->all, ints, count, type, object, &bytes);
    if (error != MPI_SUCCESS) {
      free(message);
      drop(made);
      return error;
    }
    if (made != NULL) memcpy(message->memory, made->memory, (size_t)bytes);
    message->to = to[i];
    message->tag = tag_of(stream, tag);
    message->bytes = bytes;
    message->next = made;
    made = message;
  }
  while (made != NULL) {
    outgoing* const each = made;
    made = each->next;
    post(channel, each);
  }
  return MPI_SUCCESS;
}

int mpistream_send_control(MPIStream stream, const int* to, int receivers, control_kind kind,
                           int number, int flag, const kept_type* type, const void* object) {
  const int head[control_head] = {(int)kind, number, flag};
  return mpistream_send_message(stream, to, receivers, tag_control, head, control_head, type,
                                object);
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

int mpistream_advance_messages(MPIStream_Channel channel) {
  while (channel->unsent != NULL) {
    outgoing* const oldest = channel->unsent;
    outgoing* const others = oldest->next;
    TRY(start(channel, oldest));
    channel->unsent = others;
  }
  for (outgoing** at = &channel->outgoing; *at != NULL;) {
    int sent = 0;
    outgoing* const each = *at;
    TRY(test_request(channel, &each->request, &sent));
    if (!sent) {
      at = &each->next;
      continue;
    }
    *at = each->next;
    free(each);
  }
  return MPI_SUCCESS;
}
