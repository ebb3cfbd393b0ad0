/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "common/channel.h"

#include "common/trace.h"

#include <stdlib.h>
#include <unistd.h>

static MPIStream_Channel every_channel;

enum { produces = 1, consumes = 2 }; /* roles, as bits */

/* Writes the ranks that have the role `bit` to `ranks`, in order. Returns their number. */
static int ranks_with(const char* roles, int size, int bit, int* ranks) {
  int count = 0;
  for (int i = 0; i != size; ++i) {
    if (roles[i] & bit) ranks[count++] = i;
  }
  return count;
}

static int number_of(const int* ranks, int count, int rank) {
  for (int i = 0; i != count; ++i) {
    if (ranks[i] == rank) return i;
  }
  return -1;
}

/* Sets `crowd`: with many ranks per processor, waiting ranks must leave the processors to ranks
 * that have work. */
static int look_for_a_crowd(MPIStream_Channel channel) {
  MPI_Comm here = MPI_COMM_NULL;
  int ranks = 0;
  TRY(MPI_Comm_split_type(channel->all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here));
  const int error = MPI_Comm_size(here, &ranks);
  channel->crowd = ranks > 2 * sysconf(_SC_NPROCESSORS_ONLN) ? ranks : 0;
  return first_error(error, MPI_Comm_free(&here));
}

/* Learns the roles of all ranks. `roles` has room for them. */
static int exchange_roles(MPIStream_Channel made, char own, char* roles) {
  int size = 0;
  int error = MPI_Comm_rank(made->all, &made->rank);
  error = first_error(error, MPI_Comm_size(made->all, &size));
  error = first_error(error, MPI_Allgather(&own, 1, MPI_CHAR, roles, 1, MPI_CHAR, made->all));
  if (error != MPI_SUCCESS) return error;
  made->producers = ranks_with(roles, size, produces, made->producer_ranks);
  made->consumers = ranks_with(roles, size, consumes, made->consumer_ranks);
  made->own_producer = number_of(made->producer_ranks, made->producers, made->rank);
  made->own_consumer = number_of(made->consumer_ranks, made->consumers, made->rank);
  return MPI_SUCCESS;
}

/* Makes the communicators. After an error of its own a rank still makes the collective calls that
 * follow, in which others wait. If MPI refuses such a call on some ranks only, nothing helps. */
static int join(MPIStream_Channel made, MPI_Comm comm, int place, char* roles) {
  const char own = (char)((made->is_producer ? produces : 0) | (made->is_consumer ? consumes : 0));
  int error = MPI_Comm_split(comm, own == 0 ? MPI_UNDEFINED : 0, place, &made->all);
  if (made->all == MPI_COMM_NULL) return error;
  error = first_error(error, MPI_Comm_set_errhandler(made->all, MPI_ERRORS_RETURN));
  error = first_error(error, MPI_Comm_split(made->all, made->is_consumer ? 0 : MPI_UNDEFINED, place,
                                            &made->consumers_only));
  if (made->consumers_only != MPI_COMM_NULL)
    error = first_error(error, MPI_Comm_set_errhandler(made->consumers_only, MPI_ERRORS_RETURN));
  error = first_error(error, look_for_a_crowd(made));
  return first_error(error, exchange_roles(made, own, roles));
}

int mpistream_leave_channel(MPIStream_Channel channel) {
  int error = MPI_SUCCESS;
  if (channel->consumers_only != MPI_COMM_NULL) error = MPI_Comm_free(&channel->consumers_only);
  if (channel->all != MPI_COMM_NULL) error = first_error(error, MPI_Comm_free(&channel->all));
  channel->consumers_only = channel->all = MPI_COMM_NULL;
  free(channel->producer_ranks);
  free(channel->consumer_ranks);
  channel->producer_ranks = channel->consumer_ranks = NULL;
  channel->alive = 0;
  return error;
}

/* Frees a channel of which no call has returned the handle. */
static void discard(MPIStream_Channel made) {
  if (made == NULL) return;
  mpistream_leave_channel(made);
  if (made->handler != MPI_ERRHANDLER_NULL) MPI_Errhandler_free(&made->handler);
  free(made);
}

/* Makes a channel without communicators, and all memory that it needs to learn the roles. */
static int prepare(int is_producer, int is_consumer, MPI_Comm comm, int* place, char** roles,
                   MPIStream_Channel* channel) {
  const MPIStream_Channel made = calloc(1, sizeof *made);
  if (made == NULL) return MPI_ERR_NO_MEM;
  *channel = made;
  made->all = made->consumers_only = MPI_COMM_NULL;
  made->handler = MPI_ERRHANDLER_NULL;
  made->freeing.barrier = MPI_REQUEST_NULL;
  made->freeing.dropped = MPI_MESSAGE_NULL;
  made->is_producer = is_producer;
  made->is_consumer = is_consumer;
  int size = 0;
  TRY(MPI_Comm_rank(comm, place));
  TRY(MPI_Comm_size(comm, &size));
  TRY(MPI_Comm_get_errhandler(comm, &made->handler));
  if (!is_producer && !is_consumer) return MPI_SUCCESS;
  *roles = malloc((size_t)size);
  made->producer_ranks = malloc(sizeof(int) * (size_t)size);
  made->consumer_ranks = malloc(sizeof(int) * (size_t)size);
  return *roles == NULL || made->producer_ranks == NULL || made->consumer_ranks == NULL
             ? MPI_ERR_NO_MEM
             : MPI_SUCCESS;
}

/* Returns an error on all ranks if one of them has an error. */
static int agree_on_success(int error, MPI_Comm comm) {
  const int has_failed = error != MPI_SUCCESS;
  int some_fail = 0;
  error = first_error(error, MPI_Allreduce(&has_failed, &some_fail, 1, MPI_INT, MPI_MAX, comm));
  return some_fail ? first_error(error, MPI_ERR_OTHER) : error;
}

static int create(int isProducer, int isConsumer, MPI_Comm comm, MPIStream_Channel* channel) {
  mpistream_set_up_errors();
  if (channel == NULL) return MPI_ERR_ARG;
  *channel = NULL;
  if (comm == MPI_COMM_NULL) return MPI_ERR_COMM;
  int is_inter = 0;
  int error = MPI_Comm_test_inter(comm, &is_inter);
  if (is_inter) return MPI_ERR_COMM;
  const double begin = trace_now();
  enum { some_produce, some_consume, some_fail, facts };
  int own[facts] = {isProducer != 0, isConsumer != 0, 0}, some[facts] = {0, 0, 0}, place = 0;
  MPIStream_Channel made = NULL;
  char* roles = NULL;
  error = first_error(error,
                      prepare(own[some_produce], own[some_consume], comm, &place, &roles, &made));
  own[some_fail] = error != MPI_SUCCESS;
  error = first_error(error, MPI_Allreduce(own, some, facts, MPI_INT, MPI_LOR, comm));
  if (some[some_fail]) error = first_error(error, MPI_ERR_OTHER);
  if (error == MPI_SUCCESS && (!some[some_produce] || !some[some_consume]))
    error = MPISTREAM_ERR_PARTS;
  if (error == MPI_SUCCESS) error = agree_on_success(join(made, comm, place, roles), comm);
  free(roles);
  if (error != MPI_SUCCESS) {
    discard(made);
    return error;
  }
  made->next = every_channel;
  every_channel = made;
  made->alive = 1;
  *channel = made;
  trace_add(trace_create, begin);
  return MPI_SUCCESS;
}

int MPIStream_CreateChannel(int isProducer, int isConsumer, MPI_Comm comm,
                            MPIStream_Channel* channel) {
  return mpistream_raise_on(comm != MPI_COMM_NULL ? comm : MPI_COMM_WORLD,
                            create(isProducer, isConsumer, comm, channel));
}

int mpistream_check_channel(MPIStream_Channel channel) {
  mpistream_set_up_errors();
  return channel != NULL && channel->alive ? MPI_SUCCESS : MPISTREAM_ERR_CHANNEL;
}

int mpistream_raise(MPIStream_Channel channel, int error) {
  mpistream_set_up_errors();
  if (channel == NULL || channel->handler == MPI_ERRHANDLER_NULL)
    return mpistream_raise_on(MPI_COMM_WORLD, error);
  /* A rank that does not take part in the channel has no communicator of it; after the channel has
   * been freed, no rank has. */
  const MPI_Comm comm = channel->all != MPI_COMM_NULL ? channel->all : MPI_COMM_SELF;
  return mpistream_raise_with(channel->handler, comm, error);
}

int MPIStream_Channel_size(MPIStream_Channel channel, int* producers, int* consumers) {
  TRY(raise_error(NULL, mpistream_check_channel(channel)));
  if (producers != NULL) *producers = channel->producers;
  if (consumers != NULL) *consumers = channel->consumers;
  return MPI_SUCCESS;
}

int MPIStream_Channel_comm(MPIStream_Channel channel, MPI_Comm* all, MPI_Comm* consumers) {
  TRY(raise_error(NULL, mpistream_check_channel(channel)));
  if (all != NULL) *all = channel->all;
  if (consumers != NULL) *consumers = channel->consumers_only;
  return MPI_SUCCESS;
}
