/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "objects.h"

#include <stdlib.h>
#include <string.h>

static int is_direct(const struct MPIStream_object* stream) {
  return stream->element_size >= direct_bytes;
}

int open_lanes(MPIStream stream) {
  const MPIStream_Channel channel = stream->channel;
  const int count = stream->selection == MPISTREAM_STATIC ? 1 : channel->consumers;
  lane* const lanes = calloc((size_t)count, sizeof(lane));
  if (lanes == NULL) return MPI_ERR_NO_MEM;
  for (int i = 0; i != count; ++i) lanes[i].to = channel->consumer_ranks[i];
  if (stream->selection == MPISTREAM_STATIC)
    lanes[0].to = channel->consumer_ranks[(long long)channel->own_producer * channel->consumers /
                                          channel->producers];
  stream->lanes = lanes;
  stream->lane_count = count;
  return MPI_SUCCESS;
}

void close_lanes(MPIStream stream) {
  for (int i = 0; i != stream->lane_count; ++i) {
    for (int number = 0; number <= lane_messages; ++number)
      free(stream->lanes[i].messages[number].block);
  }
  free(stream->lanes);
  free(stream->deferred);
  stream->lanes = NULL;
  stream->deferred = NULL;
  stream->lane_count = stream->quick = 0;
}

static outgoing_block* in_ring(lane* of, int behind_first) {
  return &of->messages[(of->first + behind_first) % (lane_messages + 1)];
}
static outgoing_block* next_of(lane* of) { return in_ring(of, of->flying); }

static int look_at_sends(lane* of) {
  int matched = 0;
  for (; of->sent != of->flying; ++of->sent) {
    outgoing_block* const each = in_ring(of, of->sent);
    int done = 0;
    TRY(MPI_Test(&each->request, &done, MPI_STATUS_IGNORE));
    if (!done) break;
    /* All messages before a synchronous one have been matched, too. */
    if (each->is_synchronous) matched = of->sent + 1;
  }
  of->first = (of->first + matched) % (lane_messages + 1);
  of->flying -= matched;
  of->sent -= matched;
  return MPI_SUCCESS;
}

static int start(MPIStream stream, lane* on, const void* memory, int count, MPI_Datatype type,
                 int is_last) {
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

static int start_block(MPIStream stream, lane* on) {
  const int elements = on->elements;
  const int bytes = on->bytes;
  on->elements = on->bytes = 0;
  stream->quick = 0;
  const char* const block = next_of(on)->block;
  return stream->is_dense ? start(stream, on, block, elements, stream->element, 0)
                          : start(stream, on, block, bytes, MPI_PACKED, 0);
}

enum { few_messages = lane_messages / 2 };

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

/* @return the number of elements in a block at which the producer next checks whether the block can
 * be sent. At first this is each time the number has doubled, so that no element waits much longer
 * than the time since the block was begun; then every `every` elements. */
static int next_look(int elements) {
  enum { every = 64 };
  int next = 1;
  while (next <= elements && next < every) next *= 2;
  return next > elements ? next : elements / every * every + every;
}
static int is_time_to_look(const lane* on) { return next_look(on->elements - 1) == on->elements; }

/* Sets `quick`: until the next check, or until only one more element fits, an element needs only to
 * be appended. */
static void allow_quick(MPIStream stream, const lane* on, char* block) {
  if (stream->lane_count != 1 || !stream->is_dense || stream->ending || trace_is_on != 0) return;
  if (on->elements == stream->block_elements) return;
  const int next = next_look(on->elements);
  stream->quick =
      (next < stream->block_elements ? next : stream->block_elements) - 1 - on->elements;
  stream->filling = block;
}

static void append(lane* on, char* block, const void* element, int size) {
  if (size == 8) {
    memcpy(block + on->bytes, element, 8);
  } else {
    memcpy(block + on->bytes, element, (size_t)size);
  }
  on->bytes += size;
  ++on->elements;
}

/* Takes the element if there is room for it. */
static int offer(MPIStream stream, lane* on, const void* element, int* taken) {
  *taken = 0;
  if (is_direct(stream)) {
    if (on->flying == lane_messages) TRY(look_at_sends(on));
    if (on->flying == lane_messages) return MPI_SUCCESS;
    TRY(start(stream, on, element, 1, stream->element, 0));
    *taken = 1;
    return MPI_SUCCESS;
  }
  if (on->elements == stream->block_elements) {
    TRY(look_at_sends(on));
    if (on->flying == lane_messages) return MPI_SUCCESS;
    TRY(start_block(stream, on));
  }
  char** const block = &next_of(on)->block;
  const int room =
      stream->block_elements * (stream->is_dense ? stream->element_size : stream->element_packed);
  if (*block == NULL && (*block = malloc((size_t)room)) == NULL) return MPI_ERR_NO_MEM;
  if (stream->is_dense) {
    append(on, *block, element, stream->element_size);
  } else {
    TRY(MPI_Pack(element, 1, stream->element, *block, room, &on->bytes, stream->channel->all));
    ++on->elements;
  }
  *taken = 1;
  const int is_full = on->elements == stream->block_elements;
  if (is_full ? on->flying == lane_messages : on->flying >= few_messages && is_time_to_look(on))
    TRY(look_at_sends(on));
  if (is_full ? on->flying < lane_messages : is_time_to_look(on) && may_go(on))
    return start_block(stream, on);
  allow_quick(stream, on, *block);
  return MPI_SUCCESS;
}

static unsigned long long mixed(unsigned long long key) {
  key ^= key >> 33;
  key *= 0xff51afd7ed558ccdULL;
  key ^= key >> 33;
  key *= 0xc4ceb9fe1a85ec53ULL;
  return key ^ key >> 33;
}

/* Load of a consumer: `block_bytes` for each message that is not known to be matched, plus the
 * elements of the block. Does not count the last messages, whose matching cannot be known before a
 * synchronous one follows. */
static long load_of(const lane* which) {
  const int unknown = which->unsynchronised < which->flying ? which->unsynchronised : which->flying;
  return (long)(which->flying - unknown) * block_bytes + which->elements;
}

static lane* lane_for(MPIStream stream, const void* element) {
  const int count = stream->lane_count;
  if (count == 1) return stream->lanes;
  const int next = stream->next_lane;
  if (stream->selection == MPISTREAM_BY_KEY)
    return stream->lanes + mixed(stream->key(element)) % (unsigned long long)count;
  stream->next_lane = (next + 1) % count;
  lane* best = stream->lanes + next;
  if (stream->selection == MPISTREAM_ROUND_ROBIN) return best;
  for (int i = 0; i != count; ++i) {
    lane* const each = stream->lanes + (next + i) % count;
    if (each->flying != 0 && look_at_sends(each) != MPI_SUCCESS) continue;
    if (load_of(each) < load_of(best)) best = each;
    if (load_of(best) == 0) break;
  }
  return best;
}

int send_what_waits(MPIStream stream) {
  for (int i = 0; i != stream->lane_count; ++i) {
    lane* const each = &stream->lanes[i];
    if (each->elements == 0) continue;
    if (each->flying >= few_messages) TRY(look_at_sends(each));
    if (each->flying < few_messages) TRY(start_block(stream, each));
  }
  return MPI_SUCCESS;
}

int go_on_producing(MPIStream stream) {
  while (stream->deferred_count != 0) {
    const deferred* const oldest = &stream->deferred[stream->deferred_first];
    int taken = 0;
    TRY(offer(stream, oldest->to, oldest->element, &taken));
    if (!taken) return MPI_SUCCESS;
    ++stream->deferred_first;
    if (--stream->deferred_count == 0) stream->deferred_first = 0;
  }
  for (int i = 0; stream->ending && i != stream->lane_count; ++i) {
    lane* const each = &stream->lanes[i];
    TRY(look_at_sends(each));
    if (each->elements != 0 && each->flying < lane_messages) TRY(start_block(stream, each));
    if (each->elements == 0 && each->state == lane_ending && each->flying < lane_messages) {
      TRY(start(stream, each, NULL, 0, stream->element, 1));
      each->state = lane_ended;
    }
  }
  return MPI_SUCCESS;
}

static int nothing_left_to_send(MPIStream stream) {
  if (stream->deferred_count != 0) return 0;
  for (int i = 0; i != stream->lane_count; ++i) {
    const lane* const each = &stream->lanes[i];
    if (each->state == lane_ending) return 0;
    /* The library owns the blocks, and sends them when it can. */
    if (each->flying != 0 && (is_direct(stream) || each->state == lane_ended)) return 0;
  }
  return 1;
}

static int is_empty(void* of, int* error) {
  const MPIStream stream = of;
  *error = go_on_producing(stream);
  for (int i = 0; *error == MPI_SUCCESS && i != stream->lane_count; ++i)
    *error = look_at_sends(&stream->lanes[i]);
  return *error == MPI_SUCCESS && nothing_left_to_send(stream);
}

static int is_flushed(void* of, int* error) {
  const MPIStream stream = of;
  int left = stream->deferred_count != 0;
  for (int i = 0; *error == MPI_SUCCESS && i != stream->lane_count; ++i) {
    lane* const each = &stream->lanes[i];
    *error = look_at_sends(each);
    if (*error == MPI_SUCCESS && each->elements != 0 && each->flying < lane_messages)
      *error = start_block(stream, each);
    /* If MPI does not send a message eagerly, it needs this producer until the send is complete. */
    left = left || each->elements != 0 || each->sent != each->flying;
  }
  return *error == MPI_SUCCESS && !left;
}

typedef struct {
  MPIStream stream;
  lane* on;
  const void* element;
} sent;

static int is_taken(void* of, int* error) {
  const sent* const what = of;
  int taken = 0;
  if (what->stream->deferred_count != 0) *error = go_on_producing(what->stream);
  if (*error == MPI_SUCCESS && what->stream->deferred_count == 0)
    *error = offer(what->stream, what->on, what->element, &taken);
  return taken;
}

static int is_gone(void* of, int* error) {
  const sent* const what = of;
  *error = look_at_sends(what->on);
  return *error == MPI_SUCCESS && what->on->flying == 0;
}

static int check_producer(const MPIStream* stream) {
  TRY(check_stream(stream));
  return (*stream)->channel->is_producer ? MPI_SUCCESS : MPISTREAM_ERR_ROLE;
}

static int check_open(const void* element, const MPIStream* stream) {
  TRY(check_producer(stream));
  if ((*stream)->ending) return MPISTREAM_ERR_ENDED;
  return element == NULL ? MPI_ERR_BUFFER : MPI_SUCCESS;
}

static int send(const void* sendbuf, MPIStream* stream) {
  TRY(check_open(sendbuf, stream));
  const double begin = trace_now();
  /* Within the stream's own function its messages are not received: a wait could be for this very
   * call. */
  if ((*stream)->in_callback && is_direct(*stream)) return MPISTREAM_ERR_CALL;
  (*stream)->used = 1;
  sent what = {*stream, lane_for(*stream, sendbuf), sendbuf};
  int error = MPI_SUCCESS;
  if (!is_taken(&what, &error)) {
    TRY(error);
    if ((*stream)->in_callback) return MPISTREAM_ERR_CALL;
    const double waits_from = trace_now();
    TRY(go_on_until((*stream)->channel, is_taken, &what));
    trace_add(trace_wait, waits_from);
  }
  if (is_direct(*stream)) {
    TRY(go_on_until((*stream)->channel, is_gone, &what));
  }
  trace_add(trace_send, begin);
  return MPI_SUCCESS;
}

int MPIStream_Send(const void* sendbuf, MPIStream* stream) {
  if (sendbuf != NULL && stream != NULL && *stream != NULL && (*stream)->quick != 0) {
    --(*stream)->quick;
    append((*stream)->lanes, (*stream)->filling, sendbuf, (*stream)->element_size);
    return MPI_SUCCESS;
  }
  return told_of(stream, send(sendbuf, stream));
}

static int send_later(const void* sendbuf, MPIStream* stream) {
  TRY(check_open(sendbuf, stream));
  (*stream)->used = 1;
  sent what = {*stream, lane_for(*stream, sendbuf), sendbuf};
  int error = MPI_SUCCESS;
  if (is_taken(&what, &error) || error != MPI_SUCCESS) return error;
  const int used = (*stream)->deferred_first + (*stream)->deferred_count;
  if (used == (*stream)->deferred_room) {
    const int room = used == 0 ? 64 : 2 * used;
    deferred* const more = realloc((*stream)->deferred, sizeof(deferred) * (size_t)room);
    if (more == NULL) return MPI_ERR_NO_MEM;
    (*stream)->deferred = more;
    (*stream)->deferred_room = room;
  }
  (*stream)->deferred[used] = (deferred){sendbuf, what.on};
  ++(*stream)->deferred_count;
  (*stream)->quick = 0;
  return MPI_SUCCESS;
}

int MPIStream_Isend(const void* sendbuf, MPIStream* stream) {
  return told_of(stream, send_later(sendbuf, stream));
}

static int flush(MPIStream* stream) {
  TRY(check_producer(stream));
  return (*stream)->in_callback ? MPISTREAM_ERR_CALL
                                : go_on_until((*stream)->channel, is_flushed, *stream);
}

int MPIStream_Flush(MPIStream* stream) { return told_of(stream, flush(stream)); }

int begin_to_terminate(MPIStream* stream) {
  TRY(check_open("", stream));
  (*stream)->ending = (*stream)->used = 1;
  (*stream)->quick = 0;
  for (int i = 0; i != (*stream)->lane_count; ++i) (*stream)->lanes[i].state = lane_ending;
  return go_on_producing(*stream);
}

int MPIStream_Iterminate_pointer(MPIStream* stream) {
  return told_of(stream, begin_to_terminate(stream));
}

static int terminate(MPIStream* stream) {
  TRY(check_open("", stream));
  const double begin = trace_now();
  if ((*stream)->in_callback) return MPISTREAM_ERR_CALL;
  TRY(begin_to_terminate(stream));
  TRY(go_on_until((*stream)->channel, is_empty, *stream));
  trace_add(trace_terminate, begin);
  return MPI_SUCCESS;
}

int MPIStream_Terminate_pointer(MPIStream* stream) { return told_of(stream, terminate(stream)); }

int MPIStream_Terminate(MPIStream stream) { return MPIStream_Terminate_pointer(&stream); }
int MPIStream_Iterminate(MPIStream stream) { return MPIStream_Iterminate_pointer(&stream); }

int is_over_and_empty(void* of, int* error) {
  const MPIStream stream = of;
  const int empty = !stream->channel->is_producer || is_empty(stream, error);
  /* A rank that still produces cannot wait for the end of all producers. */
  const int waits =
      stream->channel->is_consumer && (!stream->channel->is_producer || stream->ending);
  return *error == MPI_SUCCESS && empty && (!waits || stream->over);
}

static int wait_for_all(MPIStream* stream) {
  TRY(check_stream(stream));
  for (MPIStream each = (*stream)->channel->streams; each != NULL; each = each->next)
    each->operated = 1;
  if ((*stream)->in_callback) return MPISTREAM_ERR_CALL;
  /* Makes progress even if there is nothing to wait for. */
  int did = 0;
  TRY(go_on((*stream)->channel, &did));
  return go_on_until((*stream)->channel, is_over_and_empty, *stream);
}

int MPIStream_Wait(MPIStream* stream) { return told_of(stream, wait_for_all(stream)); }

static int test(MPIStream* stream, int* flag) {
  TRY(check_stream(stream));
  if (flag == NULL) return MPI_ERR_ARG;
  int did = 0, error = MPI_SUCCESS;
  TRY(go_on((*stream)->channel, &did));
  *flag = is_over_and_empty(*stream, &error);
  return error;
}

int MPIStream_Test(MPIStream* stream, int* flag) { return told_of(stream, test(stream, flag)); }
