/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "objects.h"

#include <stdlib.h>
#include <string.h>

/* The number of a child is its parent's plus a power of two; `index` is the exponent. */
static int children_of(const struct MPIStream_object* stream) {
  const int own = stream->channel->own_consumer;
  int count = 0;
  for (int step = 1; own + step < stream->channel->consumers && (own & step) == 0; step *= 2)
    ++count;
  return count;
}
static int child_rank(const struct MPIStream_object* stream, int index) {
  return stream->channel->consumer_ranks[stream->channel->own_consumer + (1 << index)];
}
static int parent_rank(const struct MPIStream_object* stream) {
  const int own = stream->channel->own_consumer;
  return stream->channel->consumer_ranks[own & (own - 1)];
}
static int index_of_child(const struct MPIStream_object* stream, int rank) {
  const int count = children_of(stream);
  for (int i = 0; i != count; ++i) {
    if (child_rank(stream, i) == rank) return i;
  }
  return -1;
}

/* Sends a control message. `result` is null if the kind has none. */
static int tell(MPIStream stream, int rank, control_kind kind, int number, int flag,
                const char* result) {
  const MPI_Comm all = stream->channel->all;
  outgoing* const message = new_outgoing((size_t)stream->control_bytes);
  if (message == NULL) return MPI_ERR_NO_MEM;
  const int head[3] = {(int)kind, number, flag};
  int bytes = 0;
  int error = MPI_Pack(head, 3, MPI_INT, message->memory, stream->control_bytes, &bytes, all);
  if (error == MPI_SUCCESS && result != NULL)
    error =
        MPI_Pack(result, 1, stream->result, message->memory, stream->control_bytes, &bytes, all);
  if (error != MPI_SUCCESS) {
    free(message);
    return error;
  }
  return post(stream->channel, message, bytes, rank, tag_of(stream, tag_control));
}

static int answer_with(MPIStream stream, int rank, int present, char* result) {
  const MPI_Comm all = stream->channel->all;
  outgoing* const message = new_outgoing((size_t)stream->control_bytes);
  if (message == NULL) return MPI_ERR_NO_MEM;
  int bytes = 0;
  int error = MPI_Pack(&present, 1, MPI_INT, message->memory, stream->control_bytes, &bytes, all);
  if (error == MPI_SUCCESS && present)
    error =
        MPI_Pack(result, 1, stream->result, message->memory, stream->control_bytes, &bytes, all);
  if (error != MPI_SUCCESS) {
    free(message);
    return error;
  }
  return post(stream->channel, message, bytes, rank, tag_of(stream, tag_answer));
}

static int set_up(MPIStream stream, reduction* what) {
  const int children = children_of(stream);
  what->missing = children;
  if (what->own != NULL) return MPI_SUCCESS;
  what->own = new_object(stream->result_begin, stream->result_room);
  what->parts = calloc((size_t)children + 1, sizeof(char*));
  what->present = calloc((size_t)children + 1, sizeof(int));
  if (what->own == NULL || what->parts == NULL || what->present == NULL) return MPI_ERR_NO_MEM;
  for (int i = 0; i != children; ++i) {
    what->parts[i] = new_object(stream->result_begin, stream->result_room);
    if (what->parts[i] == NULL) return MPI_ERR_NO_MEM;
  }
  return MPI_SUCCESS;
}

static void free_reduction(MPIStream stream, reduction* what) {
  const int children = what->parts == NULL ? 0 : children_of(stream);
  for (int i = 0; i != children; ++i) free_object(what->parts[i], stream->result_begin);
  free_object(what->own, stream->result_begin);
  free(what->parts);
  free(what->present);
}

void free_reductions(MPIStream stream) {
  free_reduction(stream, &stream->partial);
  free_reduction(stream, &stream->last_one);
  free(stream->waiting);
}

static void copy_result(const struct MPIStream_object* stream, char* to, const char* from) {
  memcpy(to + stream->result_begin, from + stream->result_begin, (size_t)stream->result_room);
}

static void take_own(MPIStream stream, reduction* what) {
  what->own_present = stream->processed != 0;
  copy_result(stream, what->own, stream->local);
}

/* Combines the parts in the order of consumers: earlier ones are MPI's first operand. `*made` is
 * one of the parts; null: no consumer has a result, or there is no terminal operation. */
static int combine(MPIStream stream, reduction* what, char** made) {
  const int children = children_of(stream);
  *made = what->own_present ? what->own : NULL;
  for (int i = 0; i != children; ++i) {
    if (!what->present[i]) continue;
    if (*made != NULL)
      TRY(MPI_Reduce_local(*made, what->parts[i], stream->reduced_items, stream->reduced,
                           stream->terminal));
    *made = what->parts[i];
  }
  if (stream->terminal == MPI_OP_NULL) *made = NULL;
  return MPI_SUCCESS;
}

static int tell_children(MPIStream stream, control_kind kind, int number, int flag,
                         const char* result) {
  const int children = children_of(stream);
  for (int i = 0; i != children; ++i)
    TRY(tell(stream, child_rank(stream, i), kind, number, flag, result));
  return MPI_SUCCESS;
}

static int begin_partial(MPIStream stream, int number);

static int complete_partial(MPIStream stream) {
  char* made = NULL;
  TRY(combine(stream, &stream->partial, &made));
  stream->partial.running = 0;
  if (stream->channel->own_consumer != 0)
    return tell(stream, parent_rank(stream), control_partial, stream->number_of_partial,
                made != NULL, made);
  for (int i = 0; i != stream->asked; ++i)
    TRY(answer_with(stream, stream->waiting[i], made != NULL, made));
  stream->waiting_count -= stream->asked;
  memmove(stream->waiting, stream->waiting + stream->asked,
          sizeof(int) * (size_t)stream->waiting_count);
  stream->asked = 0;
  return stream->waiting_count == 0 ? MPI_SUCCESS
                                    : begin_partial(stream, stream->number_of_partial + 1);
}

static int begin_partial(MPIStream stream, int number) {
  TRY(set_up(stream, &stream->partial));
  stream->partial.running = 1;
  stream->number_of_partial = number;
  stream->asked = stream->waiting_count;
  take_own(stream, &stream->partial);
  TRY(tell_children(stream, control_ask, number, 0, NULL));
  return stream->partial.missing == 0 ? complete_partial(stream) : MPI_SUCCESS;
}

static int take_question(MPIStream stream, int rank) {
  if (stream->over) return answer_with(stream, rank, stream->global_present, stream->global);
  if (stream->waiting_count == stream->waiting_room) {
    const int room = stream->waiting_room == 0 ? 16 : 2 * stream->waiting_room;
    int* const more = realloc(stream->waiting, sizeof(int) * (size_t)room);
    if (more == NULL) return MPI_ERR_NO_MEM;
    stream->waiting = more;
    stream->waiting_room = room;
  }
  stream->waiting[stream->waiting_count++] = rank;
  return stream->partial.running ? MPI_SUCCESS
                                 : begin_partial(stream, stream->number_of_partial + 1);
}

/* Ends the stream with the global result if `present`; else the local result is copied to it. */
static int end_stream(MPIStream stream, int present) {
  stream->global_present = present;
  if (!present) copy_result(stream, stream->global, stream->local);
  stream->over = 1;
  TRY(tell_children(stream, control_result, 0, present, present ? stream->global : NULL));
  for (int i = 0; i != stream->waiting_count; ++i)
    TRY(answer_with(stream, stream->waiting[i], stream->global_present, stream->global));
  stream->waiting_count = stream->asked = 0;
  return MPI_SUCCESS;
}

static int complete_last(MPIStream stream) {
  if (!stream->finished_local || stream->last_one.missing != 0) return MPI_SUCCESS;
  char* made = NULL;
  TRY(combine(stream, &stream->last_one, &made));
  if (stream->channel->own_consumer == 0) {
    if (made != NULL) copy_result(stream, stream->global, made);
    return end_stream(stream, made != NULL);
  }
  return tell(stream, parent_rank(stream), control_final, 0, made != NULL, made);
}

static int set_up_last(MPIStream stream) {
  return stream->last_one.own == NULL ? set_up(stream, &stream->last_one) : MPI_SUCCESS;
}

int finish_if_all_have_ended(MPIStream stream) {
  if (stream->finished_local) return MPI_SUCCESS;
  TRY(set_up_last(stream));
  if (stream->finishes != NULL) {
    int none = 0;
    MPI_Datatype type = stream->reduced;
    stream->in_callback = 1;
    stream->finishes(NULL, stream->local, &none, &type);
    stream->in_callback = 0;
  }
  stream->finished_local = 1;
  take_own(stream, &stream->last_one);
  return complete_last(stream);
}

int take_control(MPIStream stream, const char* message, int bytes, int source) {
  const MPI_Comm all = stream->channel->all;
  int head[3] = {0, 0, 0};
  int position = 0;
  TRY(MPI_Unpack(message, bytes, &position, head, 3, MPI_INT, all));
  const control_kind kind = (control_kind)head[0];
  reduction* const what = kind == control_final ? &stream->last_one : &stream->partial;
  switch (kind) {
    case control_query: return take_question(stream, source);
    case control_contribution: return take_contribution(stream, message, bytes, position, head[1]);
    case control_ask: return begin_partial(stream, head[1]);
    case control_final: TRY(set_up_last(stream)); /* fall through */
    case control_partial: {
      const int child = index_of_child(stream, source);
      if (child < 0) return MPI_ERR_INTERN;
      what->present[child] = head[2];
      if (head[2])
        TRY(MPI_Unpack(message, bytes, &position, what->parts[child], 1, stream->result, all));
      --what->missing;
      if (kind == control_final) return complete_last(stream);
      return what->missing == 0 ? complete_partial(stream) : MPI_SUCCESS;
    }
    case control_result:
      if (head[2])
        TRY(MPI_Unpack(message, bytes, &position, stream->global, 1, stream->result, all));
      return end_stream(stream, head[2]);
  }
  return MPI_ERR_INTERN;
}
