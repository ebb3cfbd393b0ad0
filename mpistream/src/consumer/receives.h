/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* The persistent receives of a consumer, for elements and for control messages. consume.h uses
 * them; they rely on consumer.h and messages.h.
 *
 * A consumer keeps a ring of receives with one tag, from any source, and tests only the oldest.
 * Receives of one tag match in the order in which they were started, and messages of one sender do
 * not overtake each other, so the ring has the order of arrival, and keeps the order of each
 * producer. (In M each receive has its own tag and the sender draws one, which loses the order of a
 * producer, and may wait for a busy receive beside idle ones.) */
#ifndef MPISTREAM_CONSUMER_RECEIVES_H
#define MPISTREAM_CONSUMER_RECEIVES_H

#include "consumer/consumer.h"

int mpistream_open_receives(consumer* self);
/* Goes on after an error, and returns the first one. Keeps memory to which MPI may still write. */
int mpistream_close_receives(consumer* self);
/* Tests whether a receive needs its consumer. If so the caller handles the message that has
 * arrived, if it has not been handled, and then restarts the receive. If the message is lost, see
 * lose_message. */
int mpistream_test_receive(consumer* self, receive* which, int* has_come);
/* Starts the oldest receive again, and makes it the newest. If it fails the receive is idle. */
int mpistream_restart_oldest(receive_ring* ring);
/* Tests the oldest receives of all streams of a channel at once, and notes which are complete: one
 * test for each of them would be slow with many streams. If it fails, all of them are doubtful, and
 * are then tested one by one. */
int mpistream_test_all_receives(MPIStream_Channel channel);
void mpistream_free_heads(MPIStream_Channel channel);

static inline receive* oldest_of(const receive_ring* ring) { return &ring->receives[ring->oldest]; }
/* Whether the stream must not receive now: within a function of the stream its oldest receive is
 * still in use. */
static inline int is_busy(const consumer* self) {
  return self->stream->in_callback || self->undecided;
}

#endif
