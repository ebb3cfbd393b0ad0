/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* The part of a stream on a rank that consumes: data only. The files of this room work on it, and
 * the public functions look at it; it relies on stream.h. */
#ifndef MPISTREAM_CONSUMER_CONSUMER_H
#define MPISTREAM_CONSUMER_CONSUMER_H

#include "common/stream.h"

typedef struct {
  char* memory;
  MPI_Request request;
  enum {
    receive_idle,     /* must be started */
    receive_active,   /* only now its request may be cancelled */
    receive_doubtful, /* MPI has failed to test it: it is active, or its message is lost */
    receive_come      /* `memory` has a message, which has not been handled, or not all of it */
  } state;
  MPI_Status status;
  int handled; /* elements of the message, or their bytes if they are packed */
} receive;

/* Persistent receives with one tag, from any source; see receives.h. */
typedef struct {
  receive* receives;
  int count, oldest;
} receive_ring;

/* State of a reduction over the consumers on one of them: its own part, and the part of each child
 * that has arrived. */
typedef struct {
  int running;
  int missing;  /* children */
  char** parts; /* one object for each child */
  int* present;
  int own_present;
  char* own;    /* a copy of the local result */
  int combined; /* number of children whose parts are in `made` */
  char* made;   /* result so far, one of the parts; null: there is none */
} reduction;

struct consumer {
  MPIStream stream;
  receive_ring elements, control;
  MPI_Datatype block_type; /* of the receives for elements */
  int control_bytes;
  char* unpacked; /* an element that came packed */

  int expected_ends, ends; /* of producers */
  int operated;            /* the program has operated a stream of the channel, or waited for one */
  int undecided; /* the selection rule, and so the producers of this consumer, may change */

  struct {
    int until; /* number of elements until the clock is read next */
    int between_reads;
    double read_at, control_read_at;
  } clock;

  struct {
    char* local; /* its address, from which its data begin at result.begin */
    char* global;
    long long processed; /* elements */
    int is_finished;     /* the local result contains all elements */
    int is_known;        /* the consumers have combined their results */
    int is_global;       /* they have a result; else `global` becomes a copy of `local` */
  } result;
  int over; /* the global result is there */

  reduction partial, final;
  int number_of_partial;
  int is_asked; /* the parent has asked for a partial result that has not been begun */
  int has_more; /* a step of the reductions may be possible: see combine.h */
  struct {
    int* ranks; /* that wait for an answer, on consumer 0 */
    int count, room;
    int asked; /* number of them that the running reduction answers */
  } queries;

  int round; /* of threshold collectives, on consumer 0 */
  int in_contribution;
};

#endif
