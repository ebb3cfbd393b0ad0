/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "objects.h"

#include <stdlib.h>
#include <string.h>

/* Returns the type of the receives for elements, and sets `count` to their count. */
static MPI_Datatype received_type(const struct MPIStream_object* stream, int* count) {
  const int is_direct = stream->element_size >= direct_bytes;
  if (stream->is_dense || is_direct) {
    *count = stream->block_elements;
    return stream->element;
  }
  *count = stream->block_elements * stream->element_packed;
  return MPI_PACKED;
}

int open_receives(MPIStream stream) {
  const MPI_Comm all = stream->channel->all;
  int count = 0;
  const MPI_Datatype type = received_type(stream, &count);
  const int bytes = type == MPI_PACKED ? count : count * stream->element_size;
  stream->ring_count = bytes > ring_bytes / least_receives ? least_receives : ring_bytes / bytes;
  const int share = most_receives * streams_at_full_size / (stream->number + 1);
  const int most_here = share > most_receives    ? most_receives
                        : share < least_receives ? least_receives
                                                 : share;
  if (stream->ring_count > most_here) stream->ring_count = most_here;
  stream->ring = calloc((size_t)stream->ring_count, sizeof(receive));
  if (stream->ring == NULL) return MPI_ERR_NO_MEM;
  const int is_object = type != MPI_PACKED && !stream->is_dense;
  for (int i = 0; i != stream->ring_count; ++i) {
    receive* const each = &stream->ring[i];
    each->request = MPI_REQUEST_NULL;
    each->memory =
        is_object ? new_object(stream->element_begin, stream->element_room) : new_object(0, bytes);
    if (each->memory == NULL) return MPI_ERR_NO_MEM;
    TRY(MPI_Recv_init(each->memory, count, type, MPI_ANY_SOURCE, tag_of(stream, tag_elements), all,
                      &each->request));
    TRY(MPI_Start(&each->request));
  }
  int head = 0;
  TRY(MPI_Pack_size(3, MPI_INT, all, &head));
  const int most = stream->result_packed > stream->element_packed ? stream->result_packed
                                                                  : stream->element_packed;
  stream->control_bytes = head + most;
  stream->control_count = stream->number < streams_with_all_control ? control_receives : 1;
  for (int i = 0; i != stream->control_count; ++i) {
    receive* const each = &stream->control[i];
    each->request = MPI_REQUEST_NULL;
    each->memory = malloc((size_t)stream->control_bytes);
    if (each->memory == NULL) return MPI_ERR_NO_MEM;
    TRY(MPI_Recv_init(each->memory, stream->control_bytes, MPI_PACKED, MPI_ANY_SOURCE,
                      tag_of(stream, tag_control), all, &each->request));
    TRY(MPI_Start(&each->request));
  }
  stream->unpacked = new_object(stream->element_begin, stream->element_room);
  return stream->unpacked == NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;
}

static int close_receive(receive* which) {
  if (which->request == MPI_REQUEST_NULL) return MPI_SUCCESS;
  TRY(MPI_Cancel(&which->request));
  TRY(MPI_Wait(&which->request, MPI_STATUS_IGNORE));
  return MPI_Request_free(&which->request);
}

int close_receives(MPIStream stream) {
  const int is_object = stream->element_size >= direct_bytes && !stream->is_dense;
  for (int i = 0; i != stream->ring_count; ++i) {
    TRY(close_receive(&stream->ring[i]));
    free_object(stream->ring[i].memory, is_object ? stream->element_begin : 0);
  }
  free(stream->ring);
  stream->ring = NULL;
  stream->ring_count = 0;
  for (int i = 0; stream->unpacked != NULL && i != stream->control_count; ++i) {
    TRY(close_receive(&stream->control[i]));
    free(stream->control[i].memory);
  }
  free_object(stream->unpacked, stream->element_begin);
  free_object(stream->local, stream->result_begin);
  free_object(stream->global, stream->result_begin);
  stream->unpacked = stream->local = stream->global = NULL;
  return MPI_SUCCESS;
}

int begin_result(MPIStream stream) {
  stream->local = new_object(stream->result_begin, stream->result_room);
  stream->global = new_object(stream->result_begin, stream->result_room);
  if (stream->local == NULL || stream->global == NULL) return MPI_ERR_NO_MEM;
  if (stream->combines != MPI_OP_NULL) return MPI_SUCCESS;
  int none = 0;
  MPI_Datatype type = stream->process;
  stream->in_callback = 1;
  stream->intermediate(NULL, stream->local, &none, &type);
  stream->in_callback = 0;
  return MPI_SUCCESS;
}

int process_element(MPIStream stream, const void* element) {
  void* const in = (void*)element;
  int items = stream->items;
  if (stream->combines == MPI_OP_NULL) {
    MPI_Datatype type = stream->process;
    const double begin = trace_now();
    stream->in_callback = 1;
    stream->intermediate(in, stream->local, &items, &type);
    stream->in_callback = 0;
    trace_add(trace_process, begin);
  } else if (stream->processed == 0) {
    memcpy(stream->local, in, (size_t)stream->element_size);
  } else {
    TRY(MPI_Reduce_local(in, stream->local, items, stream->process, stream->combines));
  }
  ++stream->processed;
  return MPI_SUCCESS;
}

/* Whether a message has arrived. The caller then handles it, and starts the receive again. */
static int look_at_receive(receive* which, int* has_come, MPI_Status* status) {
  if (!which->has_come) return MPI_Test(&which->request, has_come, status);
  which->has_come = 0;
  *has_come = 1;
  *status = which->status;
  return MPI_SUCCESS;
}

static int look_at_control(MPIStream stream, int* did) {
  for (;;) {
    receive* const oldest = &stream->control[stream->control_head];
    int has_come = 0, bytes = 0;
    MPI_Status status;
    TRY(look_at_receive(oldest, &has_come, &status));
    if (!has_come) return MPI_SUCCESS;
    *did = 1;
    TRY(MPI_Get_count(&status, MPI_PACKED, &bytes));
    TRY(take_control(stream, oldest->memory, bytes, status.MPI_SOURCE));
    TRY(MPI_Start(&oldest->request));
    stream->control_head = (stream->control_head + 1) % stream->control_count;
  }
}

/* Interval, in seconds, at which control messages are read between elements. A message that
 * overtakes elements waits about this long behind them. */
static const double look_every = 50e-6;

static int look(MPIStream stream, int* did) {
  stream->looked_at = MPI_Wtime();
  return look_at_control(stream, did);
}

/* The clock is read after a number of elements that takes a fraction of `look_every`. */
static int process_one(MPIStream stream, const void* element, int* did) {
  enum { most_between = 64 };
  TRY(process_element(stream, element));
  if (--stream->until_clock > 0) return MPI_SUCCESS;
  const double now = MPI_Wtime();
  const int are_slow = now - stream->clock_read_at > look_every / 8;
  const int twice =
      stream->between_clocks < most_between / 2 ? 2 * stream->between_clocks + 1 : most_between;
  stream->until_clock = stream->between_clocks = are_slow ? stream->between_clocks / 4 : twice;
  stream->clock_read_at = now;
  return now - stream->looked_at < look_every ? MPI_SUCCESS : look(stream, did);
}

static int process_block(MPIStream stream, const receive* block, const MPI_Status* status,
                         int* did) {
  enum { first_clock = 16 };
  int most = 0, count = 0, position = 0;
  const MPI_Datatype type = received_type(stream, &most);
  TRY(MPI_Get_count(status, type, &count));
  if (count == 0) ++stream->ends;
  /* The next elements may take longer than those before. */
  if (stream->until_clock > first_clock) stream->until_clock = first_clock;
  if (type != MPI_PACKED) {
    const size_t step = stream->is_dense ? (size_t)stream->element_size : 0;
    for (int i = 0; i != count; ++i)
      TRY(process_one(stream, block->memory + (size_t)i * step, did));
    return MPI_SUCCESS;
  }
  while (position != count) {
    TRY(MPI_Unpack(block->memory, count, &position, stream->unpacked, 1, stream->element,
                   stream->channel->all));
    TRY(process_one(stream, stream->unpacked, did));
  }
  return MPI_SUCCESS;
}

/* Whether the stream gets no more elements. With no producers this holds only once the program
 * operates a stream: until then the selection rule may still change. */
static int has_all(const struct MPIStream_object* stream) {
  return stream->ends == stream->expected_ends && (stream->expected_ends != 0 || stream->operated);
}

static int go_on_with(MPIStream stream, int* did) {
  enum { blocks_at_once = 16 };
  int blocks = 0;
  const double looked_at = stream->looked_at;
  for (; blocks != blocks_at_once && stream->ends != stream->expected_ends; ++blocks) {
    receive* const oldest = &stream->ring[stream->ring_head];
    int has_come = 0;
    MPI_Status status;
    TRY(look_at_receive(oldest, &has_come, &status));
    if (!has_come) break;
    *did = 1;
    TRY(process_block(stream, oldest, &status, did));
    TRY(MPI_Start(&oldest->request));
    stream->ring_head = (stream->ring_head + 1) % stream->ring_count;
    /* The interval is over: other streams have control messages, too. */
    if (stream->looked_at != looked_at) break;
  }
  return blocks == 0 ? look(stream, did) : MPI_SUCCESS;
}

/* Whether the stream must not receive now: within a function of the stream its oldest receive is
 * still in use. */
static int is_busy(const struct MPIStream_object* stream) {
  return stream->in_callback || stream->undecided;
}

static receive* element_head(MPIStream stream) { return &stream->ring[stream->ring_head]; }
static receive* control_head(MPIStream stream) { return &stream->control[stream->control_head]; }

static int make_room_for_heads(MPIStream_Channel channel) {
  if (channel->heads_room >= 2 * channel->attached) return MPI_SUCCESS;
  const size_t room = 4 * (size_t)channel->attached;
  MPI_Request* const heads = realloc(channel->heads, room * sizeof *heads);
  if (heads != NULL) channel->heads = heads;
  receive** const receives = realloc(channel->receives, room * sizeof *receives);
  if (receives != NULL) channel->receives = receives;
  MPI_Status* const statuses = realloc(channel->statuses, room * sizeof *statuses);
  if (statuses != NULL) channel->statuses = statuses;
  int* const come = realloc(channel->come, room * sizeof *come);
  if (come != NULL) channel->come = come;
  if (heads == NULL || receives == NULL || statuses == NULL || come == NULL) return MPI_ERR_NO_MEM;
  channel->heads_room = (int)room;
  return MPI_SUCCESS;
}

static void add_head(MPIStream_Channel channel, receive* head, int* count) {
  if (head->has_come) return;
  channel->heads[*count] = head->request;
  channel->receives[(*count)++] = head;
}

/* Asks MPI once for the oldest receives of all streams, and notes which are complete: one test for
 * each of them would be slow with many streams. */
static int look_at_all(MPIStream_Channel channel) {
  TRY(make_room_for_heads(channel));
  int count = 0, done = 0;
  for (MPIStream each = channel->streams; each != NULL; each = each->next) {
    if (is_busy(each)) continue;
    if (each->ends != each->expected_ends) add_head(channel, element_head(each), &count);
    add_head(channel, control_head(each), &count);
  }
  TRY(MPI_Testsome(count, channel->heads, &done, channel->come, channel->statuses));
  for (int i = 0; i < done; ++i) { /* `done` is MPI_UNDEFINED, negative, if there was no request */
    receive* const which = channel->receives[channel->come[i]];
    which->has_come = 1;
    which->status = channel->statuses[i];
  }
  return MPI_SUCCESS;
}

int go_on_consuming(MPIStream_Channel channel, int* did) {
  const int several = channel->streams != NULL && channel->streams->next != NULL;
  if (several) TRY(look_at_all(channel));
  for (MPIStream each = channel->streams; each != NULL; each = each->next) {
    if (is_busy(each)) continue;
    if (!several || element_head(each)->has_come || control_head(each)->has_come)
      TRY(go_on_with(each, did));
    if (has_all(each)) TRY(finish_if_all_have_ended(each));
  }
  return MPI_SUCCESS;
}

static int check_consumer(const MPIStream* stream) {
  TRY(check_stream(stream));
  if (!(*stream)->channel->is_consumer) return MPISTREAM_ERR_ROLE;
  if ((*stream)->in_callback) return MPISTREAM_ERR_CALL;
  for (MPIStream each = (*stream)->channel->streams; each != NULL; each = each->next)
    each->operated = 1;
  return MPI_SUCCESS;
}

static int is_over(void* of, int* error) {
  (void)error;
  return ((MPIStream)of)->over;
}

static int operate(MPIStream* stream) {
  TRY(check_consumer(stream));
  /* A rank that has not ended its own part would wait for itself. */
  if ((*stream)->channel->is_producer && !(*stream)->ending) return MPISTREAM_ERR_CALL;
  const double begin = trace_now();
  TRY(go_on_until((*stream)->channel, is_over, *stream));
  trace_add(trace_operate, begin);
  return MPI_SUCCESS;
}

int MPIStream_Operate(MPIStream* stream) { return told_of(stream, operate(stream)); }

static int operate_on_what_is_there(MPIStream* stream) {
  TRY(check_consumer(stream));
  /* More messages may arrive meanwhile; the bound is one ring of them. */
  for (int i = 0; i != (*stream)->ring_count; ++i) {
    int did = 0;
    TRY(go_on((*stream)->channel, &did));
    if (!did) break;
  }
  return MPI_SUCCESS;
}

int MPIStream_Ioperate(MPIStream* stream) {
  return told_of(stream, operate_on_what_is_there(stream));
}

static int look_whether_over(MPIStream stream, int* flag) {
  TRY(check_stream(&stream));
  if (!stream->channel->is_consumer) return MPISTREAM_ERR_ROLE;
  if (flag == NULL) return MPI_ERR_ARG;
  *flag = stream->over;
  return MPI_SUCCESS;
}

int MPIStream_Over(MPIStream stream, int* flag) {
  return told_of(&stream, look_whether_over(stream, flag));
}

static int give_result(void* resultbuf, MPIStream stream) {
  TRY(check_stream(&stream));
  if (!stream->channel->is_consumer) return MPISTREAM_ERR_ROLE;
  if (resultbuf == NULL) return MPI_ERR_BUFFER;
  const char* const from = stream->over ? stream->global : stream->local;
  int position = 0;
  char* const packed = malloc((size_t)stream->result_packed);
  if (packed == NULL) return MPI_ERR_NO_MEM;
  /* Packing copies only the data of the type: gaps in `resultbuf` belong to the program. */
  int error = MPI_Pack(from, 1, stream->result, packed, stream->result_packed, &position,
                       stream->channel->all);
  const int bytes = position;
  position = 0;
  if (error == MPI_SUCCESS)
    error =
        MPI_Unpack(packed, bytes, &position, resultbuf, 1, stream->result, stream->channel->all);
  free(packed);
  return error;
}

int MPIStream_Result(void* resultbuf, MPIStream stream) {
  return told_of(&stream, give_result(resultbuf, stream));
}
