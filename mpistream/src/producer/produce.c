/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "producer/produce.h"

#include "producer/lanes.h"
#include "producer/replies.h"

#include <stdlib.h>

int mpistream_open_producer(MPIStream stream) {
  producer* const self = calloc(1, sizeof *self);
  if (self == NULL) return MPI_ERR_NO_MEM;
  self->stream = stream;
  self->answer.channel = self->verdict.channel = stream->channel;
  self->answer.request = self->verdict.request = MPI_REQUEST_NULL;
  stream->producer = self;
  lane_set lanes;
  TRY(mpistream_make_lanes(stream->channel, stream->selection, &lanes));
  mpistream_use_lanes(self, lanes);
  return MPI_SUCCESS;
}

int mpistream_close_producer(MPIStream stream) {
  producer* const self = stream->producer;
  if (self == NULL) return MPI_SUCCESS;
  mpistream_close_lanes(self);
  const int error =
      first_error(mpistream_close_reply(&self->answer), mpistream_close_reply(&self->verdict));
  free(self->deferred.elements);
  free(self);
  stream->producer = NULL;
  return error;
}

int mpistream_take_element(producer* self, lane* on, const void* element, int* taken) {
  *taken = 0;
  if (self->deferred.count != 0) TRY(mpistream_send_deferred(self));
  return self->deferred.count == 0 ? mpistream_offer_element(self, on, element, taken)
                                   : MPI_SUCCESS;
}

int mpistream_defer_element(producer* self, lane* on, const void* element) {
  const int used = self->deferred.first + self->deferred.count;
  if (used == self->deferred.room) {
    const int room = used == 0 ? 64 : 2 * used;
    deferred_element* const more =
        realloc(self->deferred.elements, sizeof(deferred_element) * (size_t)room);
    if (more == NULL) return MPI_ERR_NO_MEM;
    self->deferred.elements = more;
    self->deferred.room = room;
  }
  self->deferred.elements[used] = (deferred_element){element, on};
  ++self->deferred.count;
  self->stream->quick.elements = 0;
  return MPI_SUCCESS;
}

int mpistream_send_deferred(producer* self) {
  while (self->deferred.count != 0) {
    const deferred_element* const oldest = &self->deferred.elements[self->deferred.first];
    int taken = 0;
    TRY(mpistream_offer_element(self, oldest->to, oldest->element, &taken));
    if (!taken) return MPI_SUCCESS;
    ++self->deferred.first;
    if (--self->deferred.count == 0) self->deferred.first = 0;
  }
  for (int i = 0; self->ending && i != self->lane_count; ++i) {
    lane* const each = &self->lanes[i];
    TRY(mpistream_test_sends(self, each));
    if (each->elements != 0 && each->flying < lane_messages) TRY(mpistream_send_block(self, each));
    if (each->elements == 0 && each->state == lane_ending && each->flying < lane_messages) {
      TRY(mpistream_send_end(self, each));
      each->state = lane_ended;
    }
  }
  return MPI_SUCCESS;
}

int mpistream_send_partial_blocks(producer* self) {
  for (int i = 0; i != self->lane_count; ++i) {
    lane* const each = &self->lanes[i];
    if (each->elements == 0) continue;
    if (each->flying >= few_messages) TRY(mpistream_test_sends(self, each));
    if (each->flying < few_messages) TRY(mpistream_send_block(self, each));
  }
  return MPI_SUCCESS;
}

int mpistream_begin_termination(producer* self) {
  self->ending = self->used = 1;
  self->stream->quick.elements = 0;
  for (int i = 0; i != self->lane_count; ++i) self->lanes[i].state = lane_ending;
  TRY(self->stream->channel->loss);
  return mpistream_send_deferred(self);
}

static int nothing_left_to_send(const producer* self) {
  if (self->deferred.count != 0) return 0;
  for (int i = 0; i != self->lane_count; ++i) {
    const lane* const each = &self->lanes[i];
    if (each->state == lane_ending) return 0;
    /* The library owns the blocks, and sends them when it can. */
    if (each->flying != 0 && (is_direct(self->stream) || each->state == lane_ended)) return 0;
  }
  return 1;
}

int mpistream_send_rest(producer* self, int* is_done) {
  *is_done = 0;
  TRY(mpistream_send_deferred(self));
  for (int i = 0; i != self->lane_count; ++i) TRY(mpistream_test_sends(self, &self->lanes[i]));
  *is_done = nothing_left_to_send(self);
  return MPI_SUCCESS;
}

int mpistream_flush_blocks(producer* self, int* is_done) {
  int left = self->deferred.count != 0;
  *is_done = 0;
  for (int i = 0; i != self->lane_count; ++i) {
    lane* const each = &self->lanes[i];
    TRY(mpistream_test_sends(self, each));
    if (each->elements != 0 && each->flying < lane_messages) TRY(mpistream_send_block(self, each));
    /* If MPI does not send a message eagerly, it needs this producer until the send is complete. */
    left = left || each->elements != 0 || each->sent != each->flying;
  }
  *is_done = !left;
  return MPI_SUCCESS;
}
