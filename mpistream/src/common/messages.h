/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* Tags, and all messages except those of lanes. Both roles use them; they rely on stream.h. A
 * message belongs to the library until MPI has sent it; no call waits for that. If MPI does not
 * take it, it is kept with those that follow, and offered to MPI again whenever there is progress.
 *
 * A stream has these tags on its channel's communicator:
 *   elements   producer -> consumer: any number of elements; none: this producer has ended
 *   control    to a consumer: packed (kind, number, flag), and the data of that kind
 *   answer     consumer 0 -> producer: packed (flag), and the result if `flag` is set
 *   verdict    consumer 0 -> producer: packed (round), and the answer of the round */
#ifndef MPISTREAM_COMMON_MESSAGES_H
#define MPISTREAM_COMMON_MESSAGES_H

#include "common/stream.h"

typedef enum { tag_elements, tag_control, tag_answer, tag_verdict, tags_of_stream } stream_tag;
typedef enum {
  control_query,        /* producer -> consumer 0 */
  control_contribution, /* producer -> consumer 0: number of the round, an element */
  control_ask,          /* to a child: number of the partial result */
  control_partial,      /* to the parent: number of the partial result, whether there is one, it */
  control_final,        /* to the parent: whether there is a result, it */
  control_result        /* to a child: whether there is a global result, it */
} control_kind;
enum { control_head = 3 }; /* ints in front of the data */

/* A control message that has arrived. */
typedef struct {
  control_kind kind;
  int number, flag;
  int source; /* rank */
  const char* packed;
  int bytes, position;
} control_message;

static inline int tag_of(const struct MPIStream_object* stream, stream_tag kind) {
  return stream->number * tags_of_stream + (int)kind;
}

/* Sets `bytes` to the most bytes of a message of so many ints and an object of `type`, or none if
 * `type` is null. */
int mpistream_message_bytes(MPIStream stream, int ints, const kept_type* type, int* bytes);
/* Packs `count` ints and an object, none if `object` is null, and sends them to each of the
 * receivers. Sends to none of them if it fails. An error of MPI's send itself is noted, since the
 * message is kept. */
int mpistream_send_message(MPIStream stream, const int* to, int receivers, stream_tag tag,
                           const int* ints, int count, const kept_type* type, const void* object);
/* Sends a control message in this way, whose data are the object; none if it is null. */
int mpistream_send_control(MPIStream stream, const int* to, int receivers, control_kind kind,
                           int number, int flag, const kept_type* type, const void* object);
/* Reads what stands before the data of a control message: all members of `message` but `source`,
 * `packed` and `bytes`, which the caller has set. */
int mpistream_read_control(MPIStream stream, control_message* message);
/* Reads the data of a control message. */
int mpistream_read_object(MPIStream stream, control_message* message, const kept_type* type,
                          void* object);
/* Offers the messages of a channel to MPI again that it has not taken, and frees those that it has
 * sent. */
int mpistream_advance_messages(MPIStream_Channel channel);

#endif
