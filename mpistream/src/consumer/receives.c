/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "consumer/receives.h"

#include "common/memory.h"
#include "common/messages.h"

#include <stdlib.h>

/* Approximate size of all receives of a consumer, and limits on their number. */
enum { ring_bytes = 512 * 1024, least_receives = 2, most_receives = 64, control_receives = 4 };
/* MPI compares a message with all waiting receives, so from the fifth stream of a channel on each
 * stream has fewer receives, in inverse proportion to its number. */
enum { streams_at_full_size = 4, streams_with_all_control = 16 };

/* Number of receives for messages of so many bytes. */
static int receives_for(const struct MPIStream_object* stream, int bytes) {
  const int affordable = bytes > ring_bytes / least_receives ? least_receives : ring_bytes / bytes;
  const int share = most_receives * streams_at_full_size / (stream->number + 1);
  const int most_here = share > most_receives    ? most_receives
                        : share < least_receives ? least_receives
                                                 : share;
  return affordable < most_here ? affordable : most_here;
}

static int start(receive* which) {
  which->state = receive_idle;
  which->handled = 0;
  TRY(MPI_Start(&which->request));
  which->state = receive_active;
  return MPI_SUCCESS;
}

/* Makes and starts `receives` receives of `count` objects of `type`. The memory of each is an
 * object that begins at `begin` and takes `room` bytes. */
static int open_ring(receive_ring* ring, int receives, MPI_Aint begin, MPI_Aint room, int count,
                     MPI_Datatype type, int tag, MPI_Comm comm) {
  ring->receives = calloc((size_t)receives, sizeof(receive));
  if (ring->receives == NULL) return MPI_ERR_NO_MEM;
  for (int i = 0; i != receives; ++i) {
    receive* const each = &ring->receives[i];
    each->request = MPI_REQUEST_NULL;
    ++ring->count;
    each->memory = mpistream_new_object(begin, room);
    if (each->memory == NULL) return MPI_ERR_NO_MEM;
    TRY(MPI_Recv_init(each->memory, count, type, MPI_ANY_SOURCE, tag, comm, &each->request));
    TRY(start(each));
  }
  return MPI_SUCCESS;
}

static int close_receive(receive* which) {
  int is_active = which->state == receive_active;
  if (which->request == MPI_REQUEST_NULL) return MPI_SUCCESS;
  if (which->state == receive_doubtful) {
    int is_complete = 0;
    TRY(MPI_Test(&which->request, &is_complete, MPI_STATUS_IGNORE));
    is_active = !is_complete;
  }
  if (is_active) {
    TRY(MPI_Cancel(&which->request));
    TRY(MPI_Wait(&which->request, MPI_STATUS_IGNORE));
  }
  return MPI_Request_free(&which->request);
}

static int close_ring(receive_ring* ring, MPI_Aint begin) {
  int first = MPI_SUCCESS;
  for (int i = 0; i != ring->count; ++i) {
    const int error = close_receive(&ring->receives[i]);
    if (error == MPI_SUCCESS) mpistream_free_object(ring->receives[i].memory, begin);
    first = first_error(first, error);
  }
  free(ring->receives);
  *ring = (receive_ring){.receives = NULL};
  return first;
}

/* A direct element with gaps is received as an object; others lie in blocks. */
static int is_received_as_object(const struct MPIStream_object* stream) {
  return is_direct(stream) && !stream->is_dense;
}

static int open_elements(consumer* self) {
  const MPIStream stream = self->stream;
  const int is_packed = !stream->is_dense && !is_direct(stream);
  const int is_object = is_received_as_object(stream);
  const int count = stream->block_elements * (is_packed ? stream->element.packed : 1);
  const int bytes = is_packed ? count : count * stream->element_size;
  self->block_type = is_packed ? MPI_PACKED : stream->element.type;
  return open_ring(&self->elements, receives_for(stream, bytes),
                   is_object ? stream->element.begin : 0, is_object ? stream->element.room : bytes,
                   count, self->block_type, tag_of(stream, tag_elements), stream->channel->all);
}

int mpistream_open_receives(consumer* self) {
  const MPIStream stream = self->stream;
  TRY(open_elements(self));
  const kept_type* const largest =
      stream->result.packed > stream->element.packed ? &stream->result : &stream->element;
  TRY(mpistream_message_bytes(stream, control_head, largest, &self->control_bytes));
  TRY(open_ring(&self->control, stream->number < streams_with_all_control ? control_receives : 1, 0,
                self->control_bytes, self->control_bytes, MPI_PACKED, tag_of(stream, tag_control),
                stream->channel->all));
  self->unpacked = mpistream_new_object(stream->element.begin, stream->element.room);
  return self->unpacked == NULL ? MPI_ERR_NO_MEM : MPI_SUCCESS;
}

int mpistream_close_receives(consumer* self) {
  const MPIStream stream = self->stream;
  const int error =
      close_ring(&self->elements, is_received_as_object(stream) ? stream->element.begin : 0);
  mpistream_free_object(self->unpacked, stream->element.begin);
  self->unpacked = NULL;
  return first_error(error, close_ring(&self->control, 0));
}

int mpistream_test_receive(consumer* self, receive* which, int* has_come) {
  *has_come = 1;
  if (which->state == receive_idle || which->state == receive_come) return MPI_SUCCESS;
  which->state = receive_doubtful;
  TRY(MPI_Test(&which->request, has_come, &which->status));
  /* The status of a receive that was not active names no sender. */
  if (*has_come && which->status.MPI_SOURCE == MPI_ANY_SOURCE)
    return lose_message(self->stream->channel);
  which->state = *has_come ? receive_come : receive_active;
  return MPI_SUCCESS;
}

int mpistream_restart_oldest(receive_ring* ring) {
  TRY(start(oldest_of(ring)));
  ring->oldest = (ring->oldest + 1) % ring->count;
  return MPI_SUCCESS;
}

/* Arrays for one test of many receives, two for each stream. */
struct heads {
  MPI_Request* requests;
  receive** receives;
  MPI_Status* statuses;
  int* come;
  int room;
};

static int make_room_for_heads(MPIStream_Channel channel) {
  if (channel->heads == NULL && (channel->heads = calloc(1, sizeof(struct heads))) == NULL)
    return MPI_ERR_NO_MEM;
  struct heads* const heads = channel->heads;
  if (heads->room >= 2 * channel->attached) return MPI_SUCCESS;
  const size_t room = 4 * (size_t)channel->attached;
  MPI_Request* const requests = realloc(heads->requests, room * sizeof *requests);
  if (requests != NULL) heads->requests = requests;
  receive** const receives = realloc(heads->receives, room * sizeof *receives);
  if (receives != NULL) heads->receives = receives;
  MPI_Status* const statuses = realloc(heads->statuses, room * sizeof *statuses);
  if (statuses != NULL) heads->statuses = statuses;
  int* const come = realloc(heads->come, room * sizeof *come);
  if (come != NULL) heads->come = come;
  if (requests == NULL || receives == NULL || statuses == NULL || come == NULL)
    return MPI_ERR_NO_MEM;
  heads->room = (int)room;
  return MPI_SUCCESS;
}

void mpistream_free_heads(MPIStream_Channel channel) {
  struct heads* const heads = channel->heads;
  if (heads == NULL) return;
  free(heads->requests);
  free(heads->receives);
  free(heads->statuses);
  free(heads->come);
  free(heads);
  channel->heads = NULL;
}

static void add_head(struct heads* heads, receive* head, int* count) {
  if (head->state != receive_active) return;
  heads->requests[*count] = head->request;
  heads->receives[(*count)++] = head;
}

/* MPI's error of one of the requests says more than its error of the test. */
static int error_of_test(int error, const MPI_Status* statuses, int done) {
  int kind = MPI_SUCCESS;
  if (MPI_Error_class(error, &kind) != MPI_SUCCESS || kind != MPI_ERR_IN_STATUS) return error;
  for (int i = 0; i < done; ++i) {
    if (statuses[i].MPI_ERROR != MPI_SUCCESS) return statuses[i].MPI_ERROR;
  }
  return error;
}

int mpistream_test_all_receives(MPIStream_Channel channel) {
  TRY(make_room_for_heads(channel));
  struct heads* const heads = channel->heads;
  int count = 0, done = 0;
  for (MPIStream stream = channel->streams; stream != NULL; stream = stream->next) {
    const consumer* const each = stream->consumer;
    if (is_busy(each)) continue;
    if (each->ends != each->expected_ends) add_head(heads, oldest_of(&each->elements), &count);
    add_head(heads, oldest_of(&each->control), &count);
  }
  const int error = MPI_Testsome(count, heads->requests, &done, heads->come, heads->statuses);
  if (error != MPI_SUCCESS) {
    for (int i = 0; i != count; ++i) {
      heads->receives[i]->request = heads->requests[i]; /* MPI may have freed it */
      heads->receives[i]->state = receive_doubtful;
    }
    return error_of_test(error, heads->statuses, done);
  }
  for (int i = 0; i < done; ++i) { /* `done` is MPI_UNDEFINED, negative, if there was no request */
    receive* const which = heads->receives[heads->come[i]];
    which->status = heads->statuses[i];
    which->state = receive_come;
  }
  return MPI_SUCCESS;
}
