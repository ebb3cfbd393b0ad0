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
static int send_result(consumer* self, int rank, control_kind kind, int number,
                       const char* result) {
  return mpistream_send_control(self->stream, rank, kind, number, result != NULL,
                                &self->stream->result, result);
}

static int answer_query(consumer* self, int rank, const char* result) {
  const int is_there = result != NULL;
  return mpistream_send_message(self->stream, rank, tag_answer, &is_there, 1, &self->stream->result,
                                result);
}

static int set_up(consumer* self, reduction* what) {
  const int children = children_of(self);
  what->missing = children;
  if (what->own != NULL) return MPI_SUCCESS;
  what->own = new_result(self);
  what->parts = calloc((size_t)children + 1, sizeof(char*));
  what->present = calloc((size_t)children + 1, sizeof(int));
  if (what->own == NULL || what->parts == NULL || what->present == NULL) return MPI_ERR_NO_MEM;
  for (int i = 0; i != children; ++i) {
    what->parts[i] = new_result(self);
    if (what->parts[i] == NULL) return MPI_ERR_NO_MEM;
  }
  return MPI_SUCCESS;
}

static int set_up_final(consumer* self) {
  return self->final.own == NULL ? set_up(self, &self->final) : MPI_SUCCESS;
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

/* Combines the parts in the order of consumers: earlier ones are MPI's first operand. `*made` is
 * one of the parts; null: no consumer has a result, or there is no terminal operation. */
static int combine(consumer* self, reduction* what, char** made) {
  const stream_operation* const how = &self->stream->operation;
  const int children = children_of(self);
  *made = what->own_present ? what->own : NULL;
  for (int i = 0; i != children; ++i) {
    if (!what->present[i]) continue;
    if (*made != NULL)
      TRY(MPI_Reduce_local(*made, what->parts[i], how->reduced_items, how->reduced, how->terminal));
    *made = what->parts[i];
  }
  if (how->terminal == MPI_OP_NULL) *made = NULL;
  return MPI_SUCCESS;
}

static int complete_partial(consumer* self) {
  char* made = NULL;
  TRY(combine(self, &self->partial, &made));
  self->partial.running = 0;
  if (!is_root(self))
    return send_result(self, parent_rank(self), control_partial, self->number_of_partial, made);
  for (int i = 0; i != self->queries.asked; ++i)
    TRY(answer_query(self, self->queries.ranks[i], made));
  self->queries.count -= self->queries.asked;
  memmove(self->queries.ranks, self->queries.ranks + self->queries.asked,
          sizeof(int) * (size_t)self->queries.count);
  self->queries.asked = 0;
  return self->queries.count == 0 ? MPI_SUCCESS
                                  : mpistream_begin_partial(self, self->number_of_partial + 1);
}

int mpistream_begin_partial(consumer* self, int number) {
  TRY(set_up(self, &self->partial));
  self->partial.running = 1;
  self->number_of_partial = number;
  self->queries.asked = self->queries.count;
  add_own_part(self, &self->partial);
  for (int i = 0, children = children_of(self); i != children; ++i)
    TRY(mpistream_send_control(self->stream, child_rank(self, i), control_ask, number, 0, NULL,
                               NULL));
  return self->partial.missing == 0 ? complete_partial(self) : MPI_SUCCESS;
}

int mpistream_add_query(consumer* self, int rank) {
  if (self->over)
    return answer_query(self, rank, self->result.is_global ? self->result.global : NULL);
  if (self->queries.count == self->queries.room) {
    const int room = self->queries.room == 0 ? 16 : 2 * self->queries.room;
    int* const more = realloc(self->queries.ranks, sizeof(int) * (size_t)room);
    if (more == NULL) return MPI_ERR_NO_MEM;
    self->queries.ranks = more;
    self->queries.room = room;
  }
  self->queries.ranks[self->queries.count++] = rank;
  return self->partial.running ? MPI_SUCCESS
                               : mpistream_begin_partial(self, self->number_of_partial + 1);
}

/* Ends the stream with the global result if there is one; else the local result is copied to it. */
static int end_stream(consumer* self, int is_there) {
  self->result.is_global = is_there;
  if (!is_there) copy_result(self, self->result.global, self->result.local);
  const char* const global = is_there ? self->result.global : NULL;
  self->over = 1;
  for (int i = 0, children = children_of(self); i != children; ++i)
    TRY(send_result(self, child_rank(self, i), control_result, 0, global));
  for (int i = 0; i != self->queries.count; ++i)
    TRY(answer_query(self, self->queries.ranks[i], global));
  self->queries.count = self->queries.asked = 0;
  return MPI_SUCCESS;
}

static int complete_final(consumer* self) {
  if (!self->result.is_finished || self->final.missing != 0) return MPI_SUCCESS;
  char* made = NULL;
  TRY(combine(self, &self->final, &made));
  if (!is_root(self)) return send_result(self, parent_rank(self), control_final, 0, made);
  if (made != NULL) copy_result(self, self->result.global, made);
  return end_stream(self, made != NULL);
}

int mpistream_add_own_final(consumer* self) {
  if (self->result.is_finished) return MPI_SUCCESS;
  TRY(set_up_final(self));
  mpistream_finish_result(self);
  add_own_part(self, &self->final);
  return complete_final(self);
}

int mpistream_add_part(consumer* self, control_message* message) {
  const int is_final = message->kind == control_final;
  reduction* const what = is_final ? &self->final : &self->partial;
  if (is_final) TRY(set_up_final(self));
  const int child = index_of_child(self, message->source);
  if (child < 0) return MPI_ERR_INTERN;
  what->present[child] = message->flag;
  if (message->flag)
    TRY(mpistream_read_object(self->stream, message, &self->stream->result, what->parts[child]));
  --what->missing;
  if (is_final) return complete_final(self);
  return what->missing == 0 ? complete_partial(self) : MPI_SUCCESS;
}

int mpistream_take_global(consumer* self, control_message* message) {
  if (message->flag)
    TRY(mpistream_read_object(self->stream, message, &self->stream->result, self->result.global));
  return end_stream(self, message->flag);
}
