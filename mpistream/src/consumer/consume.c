/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "consumer/consume.h"

#include "common/messages.h"
#include "consumer/combine.h"
#include "consumer/receives.h"
#include "consumer/results.h"
#include "consumer/rounds.h"

#include <stdlib.h>

int mpistream_open_consumer(MPIStream stream, int expected_ends) {
  consumer* const self = calloc(1, sizeof *self);
  if (self == NULL) return MPI_ERR_NO_MEM;
  self->stream = stream;
  self->expected_ends = expected_ends;
  self->clock.until = self->clock.between_reads = 1;
  stream->consumer = self;
  TRY(mpistream_open_receives(self));
  return mpistream_make_result(self);
}

int mpistream_close_consumer(MPIStream stream) {
  consumer* const self = stream->consumer;
  if (self == NULL) return MPI_SUCCESS;
  const int error = mpistream_close_receives(self);
  mpistream_free_result(self);
  mpistream_free_reductions(self);
  free(self);
  stream->consumer = NULL;
  return error;
}

void mpistream_mark_operated(MPIStream_Channel channel) {
  for (MPIStream each = channel->streams; each != NULL; each = each->next) {
    if (each->consumer != NULL) each->consumer->operated = 1;
  }
}

/* Has no effect if it fails. */
static int handle_control(consumer* self, control_message* message) {
  TRY(mpistream_read_control(self->stream, message));
  switch (message->kind) {
    case control_query: return mpistream_add_query(self, message->source);
    case control_contribution: return mpistream_take_contribution(self, message);
    case control_ask: mpistream_add_request(self, message->number); return MPI_SUCCESS;
    case control_partial:
    case control_final: return mpistream_add_part(self, message);
    case control_result: return mpistream_take_global(self, message);
  }
  return MPI_ERR_INTERN;
}

/* Handles all control messages that have arrived. */
static int consume_control(consumer* self, int* did) {
  self->clock.control_read_at = MPI_Wtime();
  for (;;) {
    receive* const oldest = oldest_of(&self->control);
    int has_come = 0;
    TRY(mpistream_test_receive(self, oldest, &has_come));
    if (!has_come) return MPI_SUCCESS;
    *did = 1;
    if (oldest->state == receive_come) {
      control_message message = {.source = oldest->status.MPI_SOURCE, .packed = oldest->memory};
      TRY(MPI_Get_count(&oldest->status, MPI_PACKED, &message.bytes));
      TRY(handle_control(self, &message));
    }
    TRY(mpistream_restart_oldest(&self->control));
    TRY(mpistream_reduce_further(self));
  }
}

/* Interval, in seconds, at which control messages are read between elements. A message that
 * overtakes elements waits about this long behind them. */
static const double control_every = 50e-6;

/* Reads control messages between two elements if it is time. The clock is read after a number of
 * elements that takes a fraction of `control_every`. */
static int pause_for_control(consumer* self, int* did) {
  enum { most_between = 64 };
  if (--self->clock.until > 0) return MPI_SUCCESS;
  const double now = MPI_Wtime();
  const int are_slow = now - self->clock.read_at > control_every / 8;
  const int between = self->clock.between_reads;
  const int twice = between < most_between / 2 ? 2 * between + 1 : most_between;
  self->clock.until = self->clock.between_reads = are_slow ? between / 4 : twice;
  self->clock.read_at = now;
  return now - self->clock.control_read_at < control_every ? MPI_SUCCESS
                                                           : consume_control(self, did);
}

static int process_objects(consumer* self, receive* block, int count, int* did) {
  const MPIStream stream = self->stream;
  const size_t step = stream->is_dense ? (size_t)stream->element_size : 0;
  int error = MPI_SUCCESS, i = block->handled;
  while (error == MPI_SUCCESS && i != count) {
    error = mpistream_process_element(self, block->memory + (size_t)i * step);
    if (error != MPI_SUCCESS) break;
    ++i;
    error = pause_for_control(self, did);
  }
  block->handled = i;
  return error;
}

static int process_packed(consumer* self, receive* block, int bytes, int* did) {
  const MPIStream stream = self->stream;
  int error = MPI_SUCCESS;
  while (error == MPI_SUCCESS && block->handled != bytes) {
    int position = block->handled;
    TRY(MPI_Unpack(block->memory, bytes, &position, self->unpacked, 1, stream->element.type,
                   stream->channel->all));
    TRY(mpistream_process_element(self, self->unpacked));
    block->handled = position;
    error = pause_for_control(self, did);
  }
  return error;
}

/* If it fails the block stays, and the next call goes on with its first unprocessed element. */
static int process_block(consumer* self, receive* block, int* did) {
  enum { first_clock = 16 };
  int count = 0;
  TRY(MPI_Get_count(&block->status, self->block_type, &count));
  if (count == 0) ++self->ends;
  /* The next elements may take longer than those before. */
  if (self->clock.until > first_clock) self->clock.until = first_clock;
  return self->block_type == MPI_PACKED ? process_packed(self, block, count, did)
                                        : process_objects(self, block, count, did);
}

/* Whether the stream gets no more elements. With no producers this holds only once the program
 * operates a stream: until then the selection rule may still change. */
static int has_all(const consumer* self) {
  return self->ends == self->expected_ends && (self->expected_ends != 0 || self->operated);
}

static int consume_blocks(consumer* self, int* did) {
  enum { blocks_at_once = 16 };
  int blocks = 0;
  const double control_read_at = self->clock.control_read_at;
  for (; blocks != blocks_at_once && self->ends != self->expected_ends; ++blocks) {
    receive* const oldest = oldest_of(&self->elements);
    int has_come = 0;
    TRY(mpistream_test_receive(self, oldest, &has_come));
    if (!has_come) break;
    *did = 1;
    if (oldest->state == receive_come) TRY(process_block(self, oldest, did));
    TRY(mpistream_restart_oldest(&self->elements));
    /* The interval is over: other streams have control messages, too. */
    if (self->clock.control_read_at != control_read_at) break;
  }
  return blocks == 0 ? consume_control(self, did) : MPI_SUCCESS;
}

/* Whether a stream that shares its channel has anything to handle, after a test of all receives. */
static int has_news(const consumer* self) {
  return oldest_of(&self->elements)->state != receive_active ||
         oldest_of(&self->control)->state != receive_active;
}

int mpistream_consume_arrived(MPIStream_Channel channel, int* did) {
  const int several = channel->streams != NULL && channel->streams->next != NULL;
  if (several) TRY(mpistream_test_all_receives(channel));
  for (MPIStream stream = channel->streams; stream != NULL; stream = stream->next) {
    consumer* const each = stream->consumer;
    if (is_busy(each)) continue;
    if (!several || has_news(each)) TRY(consume_blocks(each, did));
    if (has_all(each)) TRY(mpistream_add_own_final(each));
    if (each->has_more) TRY(mpistream_reduce_further(each));
  }
  return MPI_SUCCESS;
}
