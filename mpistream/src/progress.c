/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "objects.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

int tag_of(const struct MPIStream_object* stream, stream_tag kind) {
  return stream->number * tags_of_stream + (int)kind;
}

outgoing* new_outgoing(size_t bytes) { return malloc(sizeof(outgoing) + bytes); }

int post(MPIStream_Channel channel, outgoing* message, int bytes, int to, int tag) {
  const int error =
      MPI_Isend(message->memory, bytes, MPI_PACKED, to, tag, channel->all, &message->request);
  if (error != MPI_SUCCESS) {
    free(message);
    return error;
  }
  message->next = channel->outgoing;
  channel->outgoing = message;
  return MPI_SUCCESS;
}

static int forget_what_has_gone(MPIStream_Channel channel) {
  for (outgoing** at = &channel->outgoing; *at != NULL;) {
    int gone = 0;
    outgoing* const each = *at;
    TRY(MPI_Test(&each->request, &gone, MPI_STATUS_IGNORE));
    if (!gone) {
      at = &each->next;
      continue;
    }
    *at = each->next;
    free(each);
  }
  return MPI_SUCCESS;
}

int go_on(MPIStream_Channel channel, int* did) {
  TRY(forget_what_has_gone(channel));
  for (MPIStream each = channel->streams; each != NULL; each = each->next) {
    if (!channel->is_producer) break;
    if (each->ending || each->deferred_count != 0) TRY(go_on_producing(each));
    TRY(send_what_waits(each));
  }
  return channel->is_consumer ? go_on_consuming(channel, did) : MPI_SUCCESS;
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

int go_on_until(MPIStream_Channel channel, is_done* done, void* of) {
  int error = MPI_SUCCESS;
  int idle = 0;
  double since = 0;
  while (!done(of, &error)) {
    if (error != MPI_SUCCESS) return error;
    int did = 0;
    TRY(go_on(channel, &did));
    if (did) {
      idle = 0;
      continue;
    }
    if (idle++ == 0) since = MPI_Wtime();
    rest(channel, idle, since);
  }
  return error;
}

static int is_done_by_all(void* of, int* error) {
  int done = 0;
  *error = MPI_Test(of, &done, MPI_STATUS_IGNORE);
  return done;
}

int most_of_all(MPIStream_Channel channel, const int* own, int* most, int count) {
  MPI_Request request = MPI_REQUEST_NULL;
  TRY(MPI_Iallreduce(own, most, count, MPI_INT, MPI_MAX, channel->all, &request));
  return go_on_until(channel, is_done_by_all, &request);
}
