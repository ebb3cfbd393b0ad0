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
#include "producer/replies.h"

#include <stdlib.h>

/* Whether this rank needs nothing more from the others, and has no query open: the answer to a late
 * query would be a message after the barriers. */
static int is_settled(void* of, int* error) {
  const MPIStream_Channel channel = of;
  for (MPIStream each = channel->streams; each != NULL; each = each->next) {
    if (each->consumer != NULL && !each->consumer->over) return 0;
    if (each->producer == NULL) continue;
    if (!mpistream_is_complete(each, error)) return 0;
    reply* const answer = &each->producer->answer;
    if (answer->is_asked && !mpistream_has_reply(answer, error)) return 0;
  }
  return 1;
}

/* Sets `passed` to whether this rank has passed the barrier of that number, 1 or 2. */
static int pass(MPIStream_Channel channel, int number, int* passed) {
  *passed = channel->freeing.barriers >= number;
  if (*passed) return MPI_SUCCESS;
  MPI_Request* const barrier = &channel->freeing.barrier;
  if (!channel->freeing.is_begun) TRY(MPI_Ibarrier(channel->all, barrier));
  channel->freeing.is_begun = 1;
  TRY(test_request(channel, barrier, passed));
  if (!*passed) return MPI_SUCCESS;
  channel->freeing.is_begun = 0;
  ++channel->freeing.barriers;
  return MPI_SUCCESS;
}

/* After the first barrier no rank sends elements, queries or contributions. */
static int has_passed_first(void* of, int* error) {
  int passed = 0;
  *error = pass(of, 1, &passed);
  return passed;
}

/* Receives a message that no call will receive, and drops it. */
static int drop_message(MPIStream_Channel channel, int* found) {
  MPI_Message* const message = &channel->freeing.dropped;
  *found = *message != MPI_MESSAGE_NULL;
  if (!*found) {
    MPI_Message arrived = MPI_MESSAGE_NULL;
    TRY(MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, channel->all, found, &arrived,
                    &channel->freeing.dropped_status));
    if (!*found) return MPI_SUCCESS;
    *message = arrived;
  }
  int bytes = 0;
  TRY(MPI_Get_count(&channel->freeing.dropped_status, MPI_PACKED, &bytes));
  char* const memory = malloc((size_t)bytes + 1);
  if (memory == NULL) return MPI_ERR_NO_MEM;
  const int error = MPI_Mrecv(memory, bytes, MPI_PACKED, message, MPI_STATUS_IGNORE);
  free(memory);
  return error;
}

/* Drops verdicts of rounds in which this rank took no part. The second barrier begins when all
 * messages of this rank have been sent. Then it only waits for the others: a message that came
 * later still might have no receiver. */
static int is_drained(void* of, int* error) {
  const MPIStream_Channel channel = of;
  const int is_sent = channel->outgoing == NULL && channel->unsent == NULL;
  int found = 1, passed = 0;
  while (*error == MPI_SUCCESS && found) *error = drop_message(channel, &found);
  if (*error == MPI_SUCCESS && (channel->freeing.is_begun || is_sent))
    *error = pass(channel, 2, &passed);
  return passed;
}

/* Goes on after an error, and returns the first one. */
static int free_streams(MPIStream_Channel channel) {
  int first = MPI_SUCCESS;
  for (MPIStream each = channel->streams; each != NULL; each = each->next) {
    first = first_error(first, mpistream_close_consumer(each));
    first = first_error(first, mpistream_close_producer(each));
    first = first_error(first, mpistream_drop_type(&each->element));
    first = first_error(first, mpistream_drop_type(&each->result));
    first = first_error(first, mpistream_drop_type(&each->process));
    each->alive = 0;
  }
  mpistream_free_heads(channel);
  return first;
}

/* Goes on after errors, since other ranks wait for this one. If MPI fails for long the channel
 * stays, and a further call goes on where this one was. */
static int empty(MPIStream_Channel channel) {
  TRY(mpistream_check_outside_functions(channel));
  mpistream_mark_operated(channel);
  for (MPIStream each = channel->streams; each != NULL; each = each->next) {
    if (each->producer != NULL && !each->producer->ending)
      note_error(channel, mpistream_begin_termination(each->producer));
  }
  TRY(mpistream_wait_through_errors(channel, is_settled, channel));
  TRY(mpistream_wait_through_errors(channel, has_passed_first, channel));
  return mpistream_wait_through_errors(channel, is_drained, channel);
}

static int free_channel(MPIStream_Channel* channel) {
  mpistream_set_up_errors();
  if (channel == NULL) return MPI_ERR_ARG;
  TRY(mpistream_check_channel(*channel));
  const double begin = trace_now();
  if ((*channel)->all != MPI_COMM_NULL) TRY(empty(*channel));
  int error = take_noted_error(*channel);
  error = first_error(error, free_streams(*channel));
  error = first_error(error, mpistream_leave_channel(*channel));
  *channel = NULL;
  trace_add(trace_free, begin);
  mpistream_write_trace();
  return error;
}

int MPIStream_FreeChannel(MPIStream_Channel* channel) {
  const MPIStream_Channel of = channel == NULL ? NULL : *channel;
  return raise_error(of, free_channel(channel));
}
