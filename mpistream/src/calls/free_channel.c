/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* MPIStream_FreeChannel, which waits for the end of all streams and frees both parts of each. */
#include "calls/progress.h"
#include "calls/wait.h"
#include "common/stream.h"
#include "common/trace.h"
#include "consumer/consume.h"
#include "consumer/receives.h"
#include "producer/produce.h"

#include <stdlib.h>

static int is_settled(void* of, int* error) {
  const MPIStream_Channel channel = of;
  for (MPIStream each = channel->streams; each != NULL; each = each->next) {
    if (each->producer != NULL && !mpistream_is_complete(each, error)) return 0;
    if (each->consumer != NULL && !each->consumer->over) return 0;
  }
  return 1;
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
  int passed = 0;
  if (what->begun && *error == MPI_SUCCESS)
    *error = MPI_Test(&what->barrier, &passed, MPI_STATUS_IGNORE);
  return passed;
}

/* Goes on after an error, and returns the first one. */
static int free_streams(MPIStream_Channel channel) {
  int first = MPI_SUCCESS;
  for (MPIStream each = channel->streams; each != NULL; each = each->next) {
    const int of_consumer = mpistream_close_consumer(each);
    const int of_producer = mpistream_close_producer(each);
    if (first == MPI_SUCCESS) first = of_consumer != MPI_SUCCESS ? of_consumer : of_producer;
    mpistream_drop_type(&each->element.type);
    mpistream_drop_type(&each->result.type);
    mpistream_drop_type(&each->process.type);
    each->alive = 0;
  }
  mpistream_free_heads(channel);
  return first;
}

static int empty(MPIStream_Channel channel) {
  for (MPIStream each = channel->streams; each != NULL; each = each->next) {
    if (each->in_callback) return MPISTREAM_ERR_CALL;
  }
  mpistream_mark_operated(channel);
  for (MPIStream each = channel->streams; each != NULL; each = each->next) {
    if (each->producer != NULL && !each->producer->ending)
      TRY(mpistream_begin_termination(each->producer));
  }
  TRY(mpistream_wait_until(channel, is_settled, channel));
  /* After the barrier no rank sends elements, queries or contributions. */
  MPI_Request barrier = MPI_REQUEST_NULL;
  TRY(MPI_Ibarrier(channel->all, &barrier));
  TRY(mpistream_wait_for_request(channel, &barrier));
  emptying what = {channel, MPI_REQUEST_NULL, 0};
  return mpistream_wait_until(channel, is_drained, &what);
}

static int free_channel(MPIStream_Channel* channel) {
  mpistream_set_up_errors();
  if (channel == NULL) return MPI_ERR_ARG;
  TRY(mpistream_check_channel(*channel));
  const double begin = trace_now();
  if ((*channel)->all != MPI_COMM_NULL) TRY(empty(*channel));
  const int error = free_streams(*channel);
  mpistream_leave_channel(*channel);
  *channel = NULL;
  trace_add(trace_free, begin);
  mpistream_write_trace();
  return error;
}

int MPIStream_FreeChannel(MPIStream_Channel* channel) {
  const MPIStream_Channel of = channel == NULL ? NULL : *channel;
  return raise_error(of, free_channel(channel));
}
