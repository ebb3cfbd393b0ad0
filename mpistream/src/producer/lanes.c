/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "producer/lanes.h"

#include "common/messages.h"
#include "common/trace.h"

#include <stdlib.h>

int mpistream_make_lanes(MPIStream_Channel channel, MPIStream_Selection selection, lane_set* made) {
  const int count = selection == MPISTREAM_STATIC ? 1 : channel->consumers;
  lane* const lanes = calloc((size_t)count, sizeof(lane));
  if (lanes == NULL) return MPI_ERR_NO_MEM;
  for (int i = 0; i != count; ++i) lanes[i].to = channel->consumer_ranks[i];
  if (selection == MPISTREAM_STATIC)
    lanes[0].to = channel->consumer_ranks[(long long)channel->own_producer * channel->consumers /
                                          channel->producers];
  *made = (lane_set){lanes, count};
  return MPI_SUCCESS;
}

void mpistream_use_lanes(producer* self, lane_set lanes) {
  mpistream_close_lanes(self);
  self->lanes = lanes.lanes;
  self->lane_count = lanes.count;
}

void mpistream_close_lanes(producer* self) {
  for (int i = 0; i != self->lane_count; ++i) {
    for (int number = 0; number <= lane_messages; ++number)
      free(self->lanes[i].messages[number].block);
  }
  free(self->lanes);
  self->lanes = NULL;
  self->lane_count = self->stream->quick.elements = 0;
}

static outgoing_block* in_ring(lane* of, int behind_first) {
  return &of->messages[(of->first + behind_first) % (lane_messages + 1)];
}
static outgoing_block* next_of(lane* of) { return in_ring(of, of->flying); }

int mpistream_test_sends(producer* self, lane* of) {
  const MPIStream_Channel channel = self->stream->channel;
  int matched = 0, error = MPI_SUCCESS;
  for (; of->sent != of->flying; ++of->sent) {
    outgoing_block* const each = in_ring(of, of->sent);
    int done = 0;
    error = test_request(channel, &each->request, &done);
    if (error != MPI_SUCCESS || !done) break;
    /* All messages before a synchronous one have been matched, too. */
    if (each->is_synchronous) matched = of->sent + 1;
  }
  of->first = (of->first + matched) % (lane_messages + 1);
  of->flying -= matched;
  of->sent -= matched;
  return error;
}

static int start(producer* self, lane* on, const void* memory, int count, MPI_Datatype type,
                 int is_last) {
  const MPIStream stream = self->stream;
  outgoing_block* const made = next_of(on);
  const int synchronous =
      is_last || is_direct(stream) || on->unsynchronised == synchronous_every - 1;
  TRY((synchronous ? MPI_Issend : MPI_Isend)(memory, count, type, on->to,
                                             tag_of(stream, tag_elements), stream->channel->all,
                                             &made->request));
  made->is_synchronous = synchronous;
  on->unsynchronised = synchronous ? 0 : on->unsynchronised + 1;
  ++on->flying;
  return MPI_SUCCESS;
}

int mpistream_send_block(producer* self, lane* on) {
  const char* const block = next_of(on)->block;
  self->stream->quick.elements = 0;
  TRY(self->stream->is_dense ? start(self, on, block, on->elements, self->stream->element.type, 0)
                             : start(self, on, block, on->bytes, MPI_PACKED, 0));
  on->elements = on->bytes = 0;
  return MPI_SUCCESS;
}

int mpistream_send_end(producer* self, lane* on) {
  return start(self, on, NULL, 0, self->stream->element.type, 1);
}

/* Whether a partly filled block may be sent now: the consumer is not behind, and the rate of such
 * messages is below its limit, `at_once` in a burst and then one per `one_in` seconds. Without the
 * limit a fast producer would spend its time on one message per element, and a consumer that keeps
 * up would never be behind. */
static int may_go(lane* on) {
  enum { at_once = 8 };
  const double one_in = 500e-6;
  if (on->flying >= few_messages) return 0;
  const double now = MPI_Wtime();
  if (on->gone_until > now + (at_once - 1) * one_in) return 0;
  on->gone_until = (on->gone_until > now ? on->gone_until : now) + one_in;
  return 1;
}

/* Returns the number of elements in a block at which the producer next checks whether the block can
 * be sent. At first this is each time the number has doubled, so that no element waits much longer
 * than the time since the block was begun; then every `every` elements. */
static int next_look(int elements) {
  enum { every = 64 };
  int next = 1;
  while (next <= elements && next < every) next *= 2;
  return next > elements ? next : elements / every * every + every;
}
static int is_time_to_look(const lane* on) { return next_look(on->elements - 1) == on->elements; }

/* Opens the quick path: until the next check, or until only one more element fits, an element needs
 * only to be appended. */
static void allow_quick(producer* self, lane* on, char* block) {
  const MPIStream stream = self->stream;
  if (self->lane_count != 1 || !stream->is_dense || self->ending || mpistream_trace_is_on != 0)
    return;
  if (on->elements == stream->block_elements) return;
  const int next = next_look(on->elements);
  stream->quick.elements =
      (next < stream->block_elements ? next : stream->block_elements) - 1 - on->elements;
  stream->quick.block = block;
  stream->quick.lane = on;
}

/* Appends an element to a block in which there is room for it. */
static int append(producer* self, lane* on, char* block, int room, const void* element) {
  const MPIStream stream = self->stream;
  if (stream->is_dense) {
    append_element(on, block, element, stream->element_size);
    return MPI_SUCCESS;
  }
  int bytes = on->bytes;
  TRY(MPI_Pack(element, 1, stream->element.type, block, room, &bytes, stream->channel->all));
  on->bytes = bytes;
  ++on->elements;
  return MPI_SUCCESS;
}

/* Sends the block to which an element has been appended, if it is full or may go by now. */
static int send_if_due(producer* self, lane* on, char* block) {
  const int is_full = on->elements == self->stream->block_elements;
  if (is_full ? on->flying == lane_messages : on->flying >= few_messages && is_time_to_look(on))
    TRY(mpistream_test_sends(self, on));
  if (is_full ? on->flying < lane_messages : is_time_to_look(on) && may_go(on))
    return mpistream_send_block(self, on);
  allow_quick(self, on, block);
  return MPI_SUCCESS;
}

int mpistream_offer_element(producer* self, lane* on, const void* element, int* taken) {
  const MPIStream stream = self->stream;
  *taken = 0;
  if (is_direct(stream)) {
    if (on->flying == lane_messages) TRY(mpistream_test_sends(self, on));
    if (on->flying == lane_messages) return MPI_SUCCESS;
    TRY(start(self, on, element, 1, stream->element.type, 0));
    *taken = 1;
    return MPI_SUCCESS;
  }
  if (on->elements == stream->block_elements) {
    TRY(mpistream_test_sends(self, on));
    if (on->flying == lane_messages) return MPI_SUCCESS;
    TRY(mpistream_send_block(self, on));
  }
  char** const block = &next_of(on)->block;
  const int room =
      stream->block_elements * (stream->is_dense ? stream->element_size : stream->element.packed);
  if (*block == NULL && (*block = malloc((size_t)room)) == NULL) return MPI_ERR_NO_MEM;
  const int bytes_before = on->bytes;
  TRY(append(self, on, *block, room, element));
  const int error = send_if_due(self, on, *block);
  if (error != MPI_SUCCESS) { /* the element stays with the caller */
    --on->elements;
    on->bytes = bytes_before;
    return error;
  }
  *taken = 1;
  return MPI_SUCCESS;
}
