/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "calls/progress.h"

#include "common/messages.h"
#include "consumer/consume.h"
#include "producer/produce.h"

#include <sched.h>
#include <string.h>
#include <time.h>

static int produce(MPIStream_Channel channel) {
  for (MPIStream each = channel->streams; each != NULL; each = each->next) {
    producer* const of = each->producer;
    if (of->ending || of->deferred.count != 0) TRY(mpistream_send_deferred(of));
    TRY(mpistream_send_partial_blocks(of));
  }
  return MPI_SUCCESS;
}

static int progress(MPIStream_Channel channel, int* did) {
  TRY(channel->loss);
  TRY(mpistream_advance_messages(channel));
  if (channel->is_producer) TRY(produce(channel));
  return channel->is_consumer ? mpistream_consume_arrived(channel, did) : MPI_SUCCESS;
}

int mpistream_make_progress(MPIStream_Channel channel, int* did) {
  TRY(take_noted_error(channel));
  return progress(channel, did);
}

/* Pauses a rank that finds nothing to do. For a few microseconds it only polls, and then it yields
   its core between polls. After a tenth of a second it sleeps between polls, for a little longer
   each time. A message after a short pause is thus answered at once. In a crowd it sleeps much
   sooner: each poll of a waiting rank takes time from a rank that has work. */
static void rest(MPIStream_Channel channel, int idle, double since) {
  enum { looks = 64, looks_in_a_crowd = 72 };
  const double patience = 0.1;
  if (idle < looks) return;
  const double idle_for = MPI_Wtime() - since;
  const int doubled = (int)(idle_for / patience);
  if (doubled == 0 && !(channel->crowd && idle > looks_in_a_crowd)) {
    sched_yield();
    return;
  }
  const long alone = doubled == 0 ? 0 : 50 << (doubled < 5 ? doubled - 1 : 4);
  const long microseconds = alone < 2 * channel->crowd ? 2 * channel->crowd : alone;
  nanosleep(&(struct timespec){.tv_nsec = microseconds * 1000}, NULL);
}

int mpistream_wait_until(MPIStream_Channel channel, is_done* done, void* of) {
  int error = MPI_SUCCESS;
  int idle = 0;
  double since = 0;
  TRY(take_noted_error(channel));
  while (!done(of, &error)) {
    if (error != MPI_SUCCESS) return error;
    int did = 0;
    TRY(mpistream_make_progress(channel, &did));
    if (did) {
      idle = 0;
      continue;
    }
    if (idle++ == 0) since = MPI_Wtime();
    rest(channel, idle, since);
  }
  return error;
}

int mpistream_wait_through_errors(MPIStream_Channel channel, is_done* done, void* of) {
  const double longest = 1; /* seconds of failures without a success */
  int has_failed = 0, idle = 0;
  double since = 0, fails_since = 0;
  for (;;) {
    int error = channel->loss, did = 0;
    if (error == MPI_SUCCESS && done(of, &error)) return error;
    error = first_error(error, progress(channel, &did));
    note_error(channel, error);
    if (channel->loss != MPI_SUCCESS) return take_noted_error(channel);
    if (error != MPI_SUCCESS) {
      const double now = MPI_Wtime();
      if (!has_failed) fails_since = now;
      if (now - fails_since > longest) return take_noted_error(channel);
    } else if (did) {
      idle = 0;
    }
    has_failed = error != MPI_SUCCESS;
    if (idle++ == 0) since = MPI_Wtime();
    rest(channel, idle, since);
  }
}

static int is_agreed(void* of, int* error) {
  const MPIStream_Channel channel = of;
  int complete = 0;
  if (!channel->agreement.is_begun) {
    *error =
        MPI_Iallreduce(channel->agreement.own, channel->agreement.most, channel->agreement.count,
                       MPI_INT, MPI_MAX, channel->all, &channel->agreement.request);
    channel->agreement.is_begun = *error == MPI_SUCCESS;
  }
  if (channel->agreement.is_begun)
    *error = test_request(channel, &channel->agreement.request, &complete);
  return complete;
}

int mpistream_allreduce_max(MPIStream_Channel channel, const int* own, int* most, int count) {
  const size_t bytes = sizeof(int) * (size_t)count;
  TRY(channel->loss);
  memcpy(channel->agreement.own, own, bytes);
  channel->agreement.count = count;
  channel->agreement.is_begun = 0;
  const int error = mpistream_wait_through_errors(channel, is_agreed, channel);
  if (error == MPI_SUCCESS) {
    memcpy(most, channel->agreement.most, bytes);
  } else if (channel->agreement.is_begun) {
    /* The others have this rank's numbers, and go on as if it knew the outcome. */
    lose_message(channel);
  }
  return error;
}

int mpistream_meet(MPIStream_Channel channel) {
  const int own = 0;
  int most = 0;
  const int error = mpistream_allreduce_max(channel, &own, &most, 1);
  if (error != MPI_SUCCESS) lose_message(channel);
  return error;
}
