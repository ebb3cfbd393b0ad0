/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "consumer/combine.h"

#include "common/memory.h"
#include "consumer/results.h"

#include <stdlib.h>
#include <string.h>

/* The number of a child is its parent's plus a power of two; `index` is the exponent. */
static int children_of(const consumer* self) {
  const MPIStream_Channel channel = self->stream->channel;
  const int own = channel->own_consumer;
  int count = 0;
  for (int step = 1; own + step < channel->consumers && (own & step) == 0; step *= 2) ++count;
  return count;
}
static int child_rank(const consumer* self, int index) {
  const MPIStream_Channel channel = self->stream->channel;
  return channel->consumer_ranks[channel->own_consumer + (1 << index)];
}
enum { most_children = 31 }; /* the numbers of consumers are ints */
/* Writes the ranks of the children. Returns their number. */
static int child_ranks(const consumer* self, int* ranks) {
  const int count = children_of(self);
  for (int i = 0; i != count; ++i) ranks[i] = child_rank(self, i);
  return count;
}
static int parent_rank(const consumer* self) {
  const MPIStream_Channel channel = self->stream->channel;
  return channel->consumer_ranks[channel->own_consumer & (channel->own_consumer - 1)];
}
static int index_of_child(const consumer* self, int rank) {
  const int count = children_of(self);
  for (int i = 0; i != count; ++i) {
    if (child_rank(self, i) == rank) return i;
  }
  return -1;
}
static int is_root(const consumer* self) { return self->stream->channel->own_consumer == 0; }

static char* new_result(const consumer* self) {
  return mpistream_new_object(self->stream->result.begin, self->stream->result.room);
}

static void copy_result(const consumer* self, char* to, const char* from) {
  const kept_type* const type = &self->stream->result;
  memcpy(to + type->begin, from + type->begin, (size_t)type->room);
}

/* Sends a result, or that there is none. */
static int send_result(consumer* self, const int* ranks, int count, control_kind kind, int number,
                       const char* result) {
  return mpistream_send_control(self->stream, ranks, count, kind, number, result != NULL,
                                &self->stream->result, result);
}

/* Answers the oldest queries. */
static int answer_queries(consumer* self, int count, const char* result) {
  const int is_there = result != NULL;
  TRY(mpistream_send_message(self->stream, self->queries.ranks, count, tag_answer, &is_there, 1,
                             &self->stream->result, result));
  self->queries.count -= count;
  self->queries.asked = 0;
  if (self->queries.count != 0)
    memmove(self->queries.ranks, self->queries.ranks + count,
            sizeof(int) * (size_t)self->queries.count);
  return MPI_SUCCESS;
}

static int set_up(consumer* self, reduction* what) {
  const int children = children_of(self);
  if (what->own == NULL) what->own = new_result(self);
  if (what->parts == NULL) what->parts = calloc((size_t)children + 1, sizeof(char*));
  if (what->present == NULL) what->present = calloc((size_t)children + 1, sizeof(int));
  if (what->own == NULL || what->parts == NULL || what->present == NULL) return MPI_ERR_NO_MEM;
  for (int i = 0; i != children; ++i) {
    if (what->parts[i] == NULL) what->parts[i] = new_result(self);
    if (what->parts[i] == NULL) return MPI_ERR_NO_MEM;
  }
  return MPI_SUCCESS;
}

static void begin_reduction(consumer* self, reduction* what) {
  what->running = 1;
  what->missing = children_of(self);
  what->combined = 0;
  what->made = NULL;
}

static int set_up_final(consumer* self) {
  if (self->final.running || self->result.is_finished) return MPI_SUCCESS;
  TRY(set_up(self, &self->final));
  begin_reduction(self, &self->final);
  return MPI_SUCCESS;
}

static void free_reduction(consumer* self, reduction* what) {
  const MPI_Aint begin = self->stream->result.begin;
  const int children = what->parts == NULL ? 0 : children_of(self);
  for (int i = 0; i != children; ++i) mpistream_free_object(what->parts[i], begin);
  mpistream_free_object(what->own, begin);
  free(what->parts);
  free(what->present);
}

void mpistream_free_reductions(consumer* self) {
  free_reduction(self, &self->partial);
  free_reduction(self, &self->final);
  free(self->queries.ranks);
}

static void add_own_part(consumer* self, reduction* what) {
  what->own_present = self->result.processed != 0;
  copy_result(self, what->own, self->result.local);
}

/* Applies the terminal operation. It may be a function of the program, and must not lead back to
 * this step. */
static int join_parts(MPIStream stream, char* before, char* after) {
  const stream_operation* const how = &stream->operation;
  stream->in_callback = 1;
  const int error =
      MPI_Reduce_local(before, after, how->reduced_items, how->reduced, how->terminal);
  stream->in_callback = 0;
  return error;
}

/* Combines the parts in the order of consumers: earlier ones are MPI's first operand. Goes on where
 * it was if it has failed before, since it has changed the parts. */
static int combine(consumer* self, reduction* what) {
  const int children = children_of(self);
  if (self->stream->operation.terminal == MPI_OP_NULL) return MPI_SUCCESS;
  if (what->combined == 0 && what->own_present) what->made = what->own;
  for (; what->combined != children; ++what->combined) {
    char* const part = what->parts[what->combined];
    if (!what->present[what->combined]) continue;
    if (what->made != NULL) TRY(join_parts(self->stream, what->made, part));
    what->made = part;
  }
  return MPI_SUCCESS;
}

/* On consumer 0 for queries, on others as their parent asks. */
static int begin_partial(consumer* self) {
  int ranks[most_children];
  const int children = child_ranks(self, ranks);
  const int number = is_root(self) ? self->number_of_partial + 1 : self->number_of_partial;
  TRY(set_up(self, &self->partial));
  TRY(mpistream_send_control(self->stream, ranks, children, control_ask, number, 0, NULL, NULL));
  begin_reduction(self, &self->partial);
  add_own_part(self, &self->partial);
  self->number_of_partial = number;
  self->queries.asked = self->queries.count;
  self->is_asked = 0;
  return MPI_SUCCESS;
}

static int complete_partial(consumer* self) {
  TRY(combine(self, &self->partial));
  if (is_root(self)) {
    TRY(answer_queries(self, self->queries.asked, self->partial.made));
  } else {
    TRY(send_result(self, (int[]){parent_rank(self)}, 1, control_partial, self->number_of_partial,
                    self->partial.made));
  }
  self->partial.running = 0;
  return MPI_SUCCESS;
}

static int advance_partial(consumer* self) {
  for (;;) {
    if (!self->partial.running) {
      if (is_root(self) ? self->over || self->queries.count == 0 : !self->is_asked)
        return MPI_SUCCESS;
      TRY(begin_partial(self));
    }
    if (self->partial.missing != 0) return MPI_SUCCESS;
    TRY(complete_partial(self));
  }
}

static int advance_final(consumer* self) {
  reduction* const what = &self->final;
  if (!self->result.is_finished || !what->running || what->missing != 0) return MPI_SUCCESS;
  TRY(combine(self, what));
  if (is_root(self)) {
    if (what->made != NULL) copy_result(self, self->result.global, what->made);
    self->result.is_global = what->made != NULL;
    self->result.is_known = 1;
  } else {
    TRY(send_result(self, (int[]){parent_rank(self)}, 1, control_final, 0, what->made));
  }
  what->running = 0;
  return MPI_SUCCESS;
}

/* Ends the stream with the global result if there is one; else the local result is copied to it.
 * After the end it answers queries at once. */
static int advance_end(consumer* self) {
  const char* const global = self->result.is_global ? self->result.global : NULL;
  if (!self->result.is_known) return MPI_SUCCESS;
  if (!self->over) {
    int ranks[most_children];
    const int children = child_ranks(self, ranks);
    TRY(send_result(self, ranks, children, control_result, 0, global));
    if (global == NULL) copy_result(self, self->result.global, self->result.local);
    self->over = 1;
  }
  return answer_queries(self, self->queries.count, global);
}

int mpistream_reduce_further(consumer* self) {
  TRY(advance_partial(self));
  TRY(advance_final(self));
  TRY(advance_end(self));
  self->has_more = 0;
  return MPI_SUCCESS;
}

int mpistream_add_query(consumer* self, int rank) {
  if (self->queries.count == self->queries.room) {
    const int room = self->queries.room == 0 ? 16 : 2 * self->queries.room;
    int* const more = realloc(self->queries.ranks, sizeof(int) * (size_t)room);
    if (more == NULL) return MPI_ERR_NO_MEM;
    self->queries.ranks = more;
    self->queries.room = room;
  }
  self->queries.ranks[self->queries.count++] = rank;
  self->has_more = 1;
  return MPI_SUCCESS;
}

void mpistream_add_request(consumer* self, int number) {
  self->number_of_partial = number;
  self->is_asked = self->has_more = 1;
}

int mpistream_add_own_final(consumer* self) {
  if (self->result.is_finished) return MPI_SUCCESS;
  TRY(set_up_final(self));
  mpistream_finish_result(self);
  add_own_part(self, &self->final);
  self->has_more = 1;
  return MPI_SUCCESS;
}

int mpistream_add_part(consumer* self, control_message* message) {
  const int is_final = message->kind == control_final;
  reduction* const what = is_final ? &self->final : &self->partial;
  if (is_final) TRY(set_up_final(self));
  const int child = index_of_child(self, message->source);
  if (child < 0) return MPI_ERR_INTERN;
  if (message->flag)
    TRY(mpistream_read_object(self->stream, message, &self->stream->result, what->parts[child]));
  what->present[child] = message->flag;
  --what->missing;
  self->has_more = 1;
  return MPI_SUCCESS;
}

int mpistream_take_global(consumer* self, control_message* message) {
  if (message->flag)
    TRY(mpistream_read_object(self->stream, message, &self->stream->result, self->result.global));
  self->result.is_global = message->flag;
  self->result.is_known = self->has_more = 1;
  return MPI_SUCCESS;
}
