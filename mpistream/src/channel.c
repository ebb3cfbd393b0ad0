/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "objects.h"

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

static void leave(MPIStream_Channel channel) {
  if (channel->consumers_only != MPI_COMM_NULL) MPI_Comm_free(&channel->consumers_only);
  if (channel->all != MPI_COMM_NULL) MPI_Comm_free(&channel->all);
  free(channel->heads);
  free(channel->receives);
  free(channel->statuses);
  free(channel->come);
  channel->heads = NULL;
  channel->receives = NULL;
  channel->statuses = NULL;
  channel->come = NULL;
  channel->heads_room = 0;
  free(channel->producer_ranks);
  free(channel->consumer_ranks);
  channel->producer_ranks = channel->consumer_ranks = NULL;
  channel->alive = 0;
}

static int create(int isProducer, int isConsumer, MPI_Comm comm, MPIStream_Channel* channel) {
  set_up_errors();
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
    leave(made);
    return error;
  }
  made->alive = 1;
  *channel = made;
  trace_add(trace_create, begin);
  return MPI_SUCCESS;
}

int MPIStream_CreateChannel(int isProducer, int isConsumer, MPI_Comm comm,
                            MPIStream_Channel* channel) {
  return raise_error_on(comm != MPI_COMM_NULL ? comm : MPI_COMM_WORLD,
                        create(isProducer, isConsumer, comm, channel));
}

static int is_settled(void* of, int* error) {
  const MPIStream_Channel channel = of;
  for (MPIStream each = channel->streams; each != NULL; each = each->next) {
    if (channel->is_producer && !is_over_and_empty(each, error)) return 0;
    if (channel->is_consumer && !each->over) return 0;
  }
  return 1;
}

static int is_passed(void* of, int* error) {
  int passed = 0;
  *error = MPI_Test(of, &passed, MPI_STATUS_IGNORE);
  return passed;
}

typedef struct {
  MPIStream_Channel channel;
  MPI_Request barrier;
  int begun;
} emptying;

/* Receives and drops messages that no call will receive: answers to queries, and verdicts of rounds
 * in which this rank took no part. */
static int is_drained(void* of, int* error) {
  emptying* const what = of;
  const MPIStream_Channel channel = what->channel;
  int found = 1;
  while (*error == MPI_SUCCESS && found) {
    MPI_Status status;
    MPI_Message message;
    *error = MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, channel->all, &found, &message, &status);
    if (*error != MPI_SUCCESS || !found) break;
    int bytes = 0;
    MPI_Get_count(&status, MPI_PACKED, &bytes);
    char* const memory = malloc((size_t)bytes + 1);
    *error = memory == NULL ? MPI_ERR_NO_MEM
                            : MPI_Mrecv(memory, bytes, MPI_PACKED, &message, MPI_STATUS_IGNORE);
    free(memory);
  }
  if (*error != MPI_SUCCESS) return 0;
  if (!what->begun && channel->outgoing == NULL) {
    what->begun = 1;
    *error = MPI_Ibarrier(channel->all, &what->barrier);
  }
  return what->begun && is_passed(&what->barrier, error);
}

static int cancel(MPI_Request* request) {
  if (*request == MPI_REQUEST_NULL) return MPI_SUCCESS;
  TRY(MPI_Cancel(request));
  return MPI_Wait(request, MPI_STATUS_IGNORE);
}

static int free_streams(MPIStream_Channel channel) {
  for (MPIStream each = channel->streams; each != NULL; each = each->next) {
    if (channel->is_consumer) {
      TRY(close_receives(each));
      free_reductions(each);
    }
    close_lanes(each);
    TRY(cancel(&each->answer));
    TRY(cancel(&each->verdict));
    free(each->answer_memory);
    free(each->verdict_memory);
    each->answer_memory = each->verdict_memory = NULL;
    drop_type(&each->element);
    drop_type(&each->result);
    drop_type(&each->process);
    each->alive = 0;
  }
  return MPI_SUCCESS;
}

static int empty(MPIStream_Channel channel) {
  for (MPIStream each = channel->streams; each != NULL; each = each->next) {
    if (each->in_callback) return MPISTREAM_ERR_CALL;
  }
  for (MPIStream each = channel->streams; each != NULL; each = each->next) {
    each->operated = 1;
    if (channel->is_producer && !each->ending) TRY(begin_to_terminate(&each));
  }
  TRY(go_on_until(channel, is_settled, channel));
  /* After the barrier no rank sends elements, queries or contributions. */
  MPI_Request barrier = MPI_REQUEST_NULL;
  TRY(MPI_Ibarrier(channel->all, &barrier));
  TRY(go_on_until(channel, is_passed, &barrier));
  emptying what = {channel, MPI_REQUEST_NULL, 0};
  return go_on_until(channel, is_drained, &what);
}

static int free_channel(MPIStream_Channel* channel) {
  set_up_errors();
  if (channel == NULL) return MPI_ERR_ARG;
  TRY(check_channel(*channel));
  const double begin = trace_now();
  if ((*channel)->all != MPI_COMM_NULL) TRY(empty(*channel));
  TRY(free_streams(*channel));
  leave(*channel);
  *channel = NULL;
  trace_add(trace_free, begin);
  trace_write();
  return MPI_SUCCESS;
}

int MPIStream_FreeChannel(MPIStream_Channel* channel) {
  const MPIStream_Channel of = channel == NULL ? NULL : *channel;
  return told(of, free_channel(channel));
}

int MPIStream_Channel_size(MPIStream_Channel channel, int* producers, int* consumers) {
  TRY(told(NULL, check_channel(channel)));
  if (producers != NULL) *producers = channel->producers;
  if (consumers != NULL) *consumers = channel->consumers;
  return MPI_SUCCESS;
}

int MPIStream_Channel_comm(MPIStream_Channel channel, MPI_Comm* all, MPI_Comm* consumers) {
  TRY(told(NULL, check_channel(channel)));
  if (all != NULL) *all = channel->all;
  if (consumers != NULL) *consumers = channel->consumers_only;
  return MPI_SUCCESS;
}
