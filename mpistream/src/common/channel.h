/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* A channel: its ranks, their roles, and their communicators. All that sends and receives uses it.
 * It relies on errors.h and trace.h; its streams, messages and receives are opaque to it. */
#ifndef MPISTREAM_COMMON_CHANNEL_H
#define MPISTREAM_COMMON_CHANNEL_H

#include "common/errors.h"

enum { most_agreed = 16 }; /* numbers on which the ranks of a channel agree in one call */

struct MPIStream_Channel_object {
  int alive;
  struct MPIStream_Channel_object* next; /* all channels ever made: no handle dangles */
  MPI_Comm all, consumers_only;
  MPI_Errhandler handler; /* handler of the communicator that the channel was made of; valid even
                             when that has been freed. `all` itself returns errors */
  int is_producer, is_consumer;
  int rank;
  int producers, consumers;
  int crowd; /* number of ranks on this machine if it is over twice the processors; else 0 */
  int *producer_ranks, *consumer_ranks;
  int own_consumer; /* number among the consumers */
  int own_producer;
  MPIStream streams, last;
  int attached;
  struct outgoing *outgoing, *unsent; /* see messages.h */
  struct heads* heads; /* see consumer/receives.h; null on a rank without several streams */
  int noted;           /* the first error that no call has returned; see note_error */
  int loss;            /* MPI_ERR_INTERN once the channel has lost a message; see lose_message */
  struct {             /* see mpistream_allreduce_max; MPI may use it even after the call */
    MPI_Request request;
    int is_begun, count;
    int own[most_agreed], most[most_agreed];
  } agreement;
  struct { /* how far MPIStream_FreeChannel has come; it may be called again */
    MPI_Request barrier;
    int is_begun; /* whether the barrier has begun */
    int barriers; /* number that this rank has passed */
    MPI_Message dropped;
    MPI_Status dropped_status;
  } freeing;
};

int mpistream_check_channel(MPIStream_Channel channel);
/* Frees what the channel owns but for its streams, messages and receives. Goes on after an error,
 * and returns the first one. */
int mpistream_leave_channel(MPIStream_Channel channel);
/* Calls the error handler that the channel has taken from its communicator, or that of
 * MPI_COMM_WORLD if `channel` is null. Returns `error`. */
int mpistream_raise(MPIStream_Channel channel, int error);

/* Keeps an error that the present call can't return: it has had its effect, or must go on because
 * other ranks wait for it. A later call that sends a message, waits or makes progress returns the
 * first of these errors. */
static inline void note_error(MPIStream_Channel channel, int error) {
  channel->noted = first_error(channel->noted, error);
}
/* Returns that error; after it, the loss of a message in each call. */
static inline int take_noted_error(MPIStream_Channel channel) {
  const int error = channel->noted;
  channel->noted = MPI_SUCCESS;
  return first_error(error, channel->loss);
}

/* A message is lost if its request has ended with an error: nobody knows whether the message has
 * arrived, or what was in it. Some rank may wait for it, so that the channel can't go on. No call
 * looks at its requests any more, and each call that sends a message, waits or makes progress
 * returns this error. */
static inline int lose_message(MPIStream_Channel channel) { return channel->loss = MPI_ERR_INTERN; }

/* Tests a request that is not persistent. If it fails, either nothing has happened, or the message
 * is lost. */
static inline int test_request(MPIStream_Channel channel, MPI_Request* request, int* done) {
  const int error = MPI_Test(request, done, MPI_STATUS_IGNORE);
  if (error == MPI_SUCCESS) return MPI_SUCCESS;
  *done = 0;
  if (*request == MPI_REQUEST_NULL) lose_message(channel);
  return error;
}

/* Makes the return value of a public function. */
static inline int raise_error(MPIStream_Channel channel, int error) {
  return error == MPI_SUCCESS ? MPI_SUCCESS : mpistream_raise(channel, error);
}

#endif
