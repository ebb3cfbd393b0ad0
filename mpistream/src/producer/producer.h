/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* The part of a stream on a rank that produces: data only. The files of this room work on it, and
 * the public functions look at it; it relies on stream.h. */
#ifndef MPISTREAM_PRODUCER_PRODUCER_H
#define MPISTREAM_PRODUCER_PRODUCER_H

#include "common/stream.h"

/* Most messages to a consumer that are not known to be matched, and how often a message is
 * synchronous; see lanes.h. */
enum { lane_messages = 16, synchronous_every = 4 };
/* A consumer with fewer messages than this is not behind. */
enum { few_messages = lane_messages / 2 };

typedef struct {
  char* block;
  MPI_Request request;
  int is_synchronous;
} outgoing_block;

/* Messages from a producer to one consumer, in a ring. The oldest `flying` messages have been sent
 * and are not known to be matched; the next one is being filled. */
typedef struct lane {
  int to; /* rank */
  outgoing_block messages[lane_messages + 1];
  int first, flying;
  int sent; /* number of the oldest flying messages whose sends are complete for MPI, but which are
               not known to be matched */
  int unsynchronised; /* number of messages sent since the last synchronous one */
  int elements;       /* number in the block that is being filled */
  int bytes;
  double gone_until; /* time up to which the permitted rate of partly filled messages is used up */
  enum { lane_open, lane_ending, lane_ended } state;
} lane;

/* An element of MPIStream_Isend that waits for room. */
typedef struct {
  const void* element;
  lane* to;
} deferred_element;

/* A message that is awaited from consumer 0. */
typedef struct {
  MPIStream_Channel channel;
  char* memory;
  int bytes, position; /* size of the memory; how much of the message has been read */
  MPI_Request request;
  enum { reply_none, reply_awaited, reply_arrived } state;
  int is_asked; /* the message that asks for it has been sent */
} reply;

struct producer {
  MPIStream stream;
  lane* lanes; /* to each consumer that the selection rule may choose */
  int lane_count, next_lane;
  struct {
    deferred_element* elements;
    int first, count, room;
  } deferred;
  int used;      /* the first element has been sent, or the end */
  int ending;    /* the program has terminated this rank's part */
  int undecided; /* the selection rule, and with it the lanes, may change */
  reply answer, verdict;
  int round; /* of threshold collectives */
};

#endif
