/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* Messages that a producer awaits from consumer 0: the answer to a query, the verdict of a round.
 * Queries and threshold collectives use it; it relies on producer.h and messages.h. */
#ifndef MPISTREAM_PRODUCER_REPLIES_H
#define MPISTREAM_PRODUCER_REPLIES_H

#include "common/messages.h"
#include "producer/producer.h"

/* Starts to receive a message of one int and an object of `type`, unless that has been done. */
int mpistream_receive_reply(producer* self, reply* into, stream_tag tag, const kept_type* type);
/* Whether a reply has arrived. Has the type `is_done` of calls/progress.h. */
int mpistream_has_reply(void* of, int* error);
/* Reads the int at the beginning of a reply that has arrived; then its object. */
int mpistream_read_reply(producer* self, reply* from, int* number);
int mpistream_read_reply_object(producer* self, reply* from, const kept_type* type, void* object);
/* Notes that the reply has been read: the next one may be received. */
void mpistream_end_reply(reply* which);
/* Cancels the receive, and frees the memory. */
int mpistream_close_reply(reply* which);

#endif
