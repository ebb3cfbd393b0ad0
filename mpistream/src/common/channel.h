/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* A channel: its ranks, their roles, and their communicators. All that sends and receives uses it.
 * It relies on errors.h and trace.h; its streams, messages and receives are opaque to it. */
#ifndef MPISTREAM_COMMON_CHANNEL_H
#define MPISTREAM_COMMON_CHANNEL_H

#include "common/errors.h"

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
  struct outgoing* outgoing; /* see messages.h */
  struct heads* heads;       /* see consumer/receives.h; null on a rank without several streams */
};

int mpistream_check_channel(MPIStream_Channel channel);
/* Frees what the channel owns but for its streams, messages and receives. */
void mpistream_leave_channel(MPIStream_Channel channel);
/* Calls the error handler that the channel has taken from its communicator, or that of
 * MPI_COMM_WORLD if `channel` is null. Returns `error`. */
int mpistream_raise(MPIStream_Channel channel, int error);

/* Makes the return value of a public function. */
static inline int raise_error(MPIStream_Channel channel, int error) {
  return error == MPI_SUCCESS ? MPI_SUCCESS : mpistream_raise(channel, error);
}

#endif
