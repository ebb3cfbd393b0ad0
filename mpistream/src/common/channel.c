/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "common/channel.h"

#include "common/trace.h"

#include <stdlib.h>
#include <unistd.h>

static MPIStream_Channel every_channel;

/* Returns the ranks that have the role `bit`, in order, and their number in `count`. */
static int* ranks_with(const char* roles, int size, int bit, int* count) {
  int* const ranks = malloc(sizeof(int) * (size_t)(size + 1));
  *count = 0;
  for (int i = 0; ranks != NULL && i != size; ++i) {
    if (roles[i] & bit) ranks[(*count)++] = i;
  }
  return ranks;
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
  TRY(MPI_Comm_size(here, &ranks));
  channel->crowd = ranks > 2 * sysconf(_SC_NPROCESSORS_ONLN) ? ranks : 0;
  return MPI_Comm_free(&here);
}

static int join(MPIStream_Channel made, MPI_Comm comm) {
  enum { produces = 1, consumes = 2 };
  char own = (char)((made->is_producer ? produces : 0) | (made->is_consumer ? consumes : 0));
  int place = 0, size = 0;
  TRY(MPI_Comm_rank(comm, &place));
  TRY(MPI_Comm_split(comm, own == 0 ? MPI_UNDEFINED : 0, place, &made->all));
  if (made->all == MPI_COMM_NULL) return MPI_SUCCESS;
  TRY(MPI_Comm_set_errhandler(made->all, MPI_ERRORS_RETURN));
  TRY(MPI_Comm_split(made->all, made->is_consumer ? 0 : MPI_UNDEFINED, place,
                     &made->consumers_only));
  if (made->consumers_only != MPI_COMM_NULL)
    TRY(MPI_Comm_set_errhandler(made->consumers_only, MPI_ERRORS_RETURN));
  TRY(MPI_Comm_rank(made->all, &made->rank));
  TRY(MPI_Comm_size(made->all, &size));
  TRY(look_for_a_crowd(made));
  char* const roles = malloc((size_t)size);
  if (roles == NULL) return MPI_ERR_NO_MEM;
  const int error = MPI_Allgather(&own, 1, MPI_CHAR, roles, 1, MPI_CHAR, made->all);
  made->producer_ranks = ranks_with(roles, size, produces, &made->producers);
  made->consumer_ranks = ranks_with(roles, size, consumes, &made->consumers);
  free(roles);
  if (made->producer_ranks == NULL || made->consumer_ranks == NULL) return MPI_ERR_NO_MEM;
  made->own_producer = number_of(made->producer_ranks, made->producers, made->rank);
  made->own_consumer = number_of(made->consumer_ranks, made->consumers, made->rank);
  return error;
}

void mpistream_leave_channel(MPIStream_Channel channel) {
  if (channel->consumers_only != MPI_COMM_NULL) MPI_Comm_free(&channel->consumers_only);
  if (channel->all != MPI_COMM_NULL) MPI_Comm_free(&channel->all);
  free(channel->producer_ranks);
  free(channel->consumer_ranks);
  channel->producer_ranks = channel->consumer_ranks = NULL;
  channel->alive = 0;
}

static int create(int isProducer, int isConsumer, MPI_Comm comm, MPIStream_Channel* channel) {
  mpistream_set_up_errors();
  if (channel == NULL) return MPI_ERR_ARG;
  *channel = NULL;
  if (comm == MPI_COMM_NULL) return MPI_ERR_COMM;
  int is_inter = 0;
  TRY(MPI_Comm_test_inter(comm, &is_inter));
  if (is_inter) return MPI_ERR_COMM;
  const double begin = trace_now();
  const int roles[2] = {isProducer != 0, isConsumer != 0};
  int some[2] = {0, 0};
  TRY(MPI_Allreduce(roles, some, 2, MPI_INT, MPI_LOR, comm));
  if (!some[0] || !some[1]) return MPISTREAM_ERR_PARTS;
  const MPIStream_Channel made = calloc(1, sizeof *made);
  if (made == NULL) return MPI_ERR_NO_MEM;
  made->all = made->consumers_only = MPI_COMM_NULL;
  made->handler = MPI_ERRHANDLER_NULL;
  made->is_producer = roles[0];
  made->is_consumer = roles[1];
  made->next = every_channel;
  every_channel = made;
  int error = join(made, comm);
  if (error == MPI_SUCCESS) error = MPI_Comm_get_errhandler(comm, &made->handler);
  if (error != MPI_SUCCESS) {
    mpistream_leave_channel(made);
    return error;
  }
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
