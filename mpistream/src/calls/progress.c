/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "calls/progress.h"

#include "common/messages.h"
#include "consumer/consume.h"
#include "producer/produce.h"

#include <sched.h>
#include <time.h>

static int produce(MPIStream_Channel channel) {
  for (MPIStream each = channel->streams; each != NULL; each = each->next) {
    producer* const of = each->producer;
    if (of->ending || of->deferred.count != 0) TRY(mpistream_send_deferred(of));
    TRY(mpistream_send_partial_blocks(of));
  }
  return MPI_SUCCESS;
}

int mpistream_make_progress(MPIStream_Channel channel, int* did) {
  TRY(mpistream_free_sent_messages(channel));
  if (channel->is_producer) TRY(produce(channel));
  return channel->is_consumer ? mpistream_consume_arrived(channel, did) : MPI_SUCCESS;
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

static int is_complete(void* of, int* error) {
  int complete = 0;
  *error = MPI_Test(of, &complete, MPI_STATUS_IGNORE);
  return complete;
}

int mpistream_wait_for_request(MPIStream_Channel channel, MPI_Request* request) {
  return mpistream_wait_until(channel, is_complete, request);
}

int mpistream_allreduce_max(MPIStream_Channel channel, const int* own, int* most, int count) {
  MPI_Request request = MPI_REQUEST_NULL;
  TRY(MPI_Iallreduce(own, most, count, MPI_INT, MPI_MAX, channel->all, &request));
  return mpistream_wait_for_request(channel, &request);
}
