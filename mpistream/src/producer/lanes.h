/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* The way of elements to one consumer: blocks, sends, and credit. The files of this room and the
 * quick path of MPIStream_Send use lanes; they rely on producer.h and messages.h.
 *
 * *Credits.* A producer sends every `synchronous_every`-th message to a consumer, and the last
 * message, synchronously. A synchronous send is complete only when the consumer has matched it with
 * one of its receives, and therefore all messages before it. At most `lane_messages` messages of a
 * producer to a consumer are not known to be matched. This bounds the messages that can pile up,
 * and needs no messages back except MPI's own.
 *
 * *Errors.* A message counts as sent only once MPI has taken it. If MPI fails, the block stays, and
 * is sent later. */
#ifndef MPISTREAM_PRODUCER_LANES_H
#define MPISTREAM_PRODUCER_LANES_H

#include "producer/producer.h"

#include <string.h>

/* Lanes that no producer has yet. */
typedef struct {
  lane* lanes;
  int count;
} lane_set;

/* Makes the lanes that a selection rule needs. */
int mpistream_make_lanes(MPIStream_Channel channel, MPIStream_Selection selection, lane_set* made);
/* Gives the lanes to a producer, instead of those that it has. */
void mpistream_use_lanes(producer* self, lane_set lanes);
void mpistream_close_lanes(producer* self);
/* Tests the sends of a lane, and removes the messages that are now known to be matched. If MPI has
 * lost one, the channel can't go on: see lose_message. */
int mpistream_test_sends(producer* self, lane* of);
/* Takes the element if there is room for it: appends it to the block, or sends it if it is direct.
 * May send the block. Has not taken the element if it fails. */
int mpistream_offer_element(producer* self, lane* on, const void* element, int* taken);
/* Sends the block that is being filled. There must be room for a message. */
int mpistream_send_block(producer* self, lane* on);
/* Sends the end of this producer's elements. There must be room for a message. */
int mpistream_send_end(producer* self, lane* on);

static inline void append_element(lane* on, char* block, const void* element, int size) {
  if (size == 8) {
    memcpy(block + on->bytes, element, 8);
  } else {
    memcpy(block + on->bytes, element, (size_t)size);
  }
  on->bytes += size;
  ++on->elements;
}

#endif
