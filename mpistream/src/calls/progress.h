/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* Progress of all streams of a channel, and the loop of all calls that wait. The public functions
 * use it; it drives producer/produce.h and consumer/consume.h, which know nothing of it. */
#ifndef MPISTREAM_CALLS_PROGRESS_H
#define MPISTREAM_CALLS_PROGRESS_H

#include "common/channel.h"

/* Makes all progress on a channel that is possible without waiting. Sets `did` if a message for a
 * consumer was handled. Before that it returns a noted error if there is one, or the loss of a
 * message. */
int mpistream_make_progress(MPIStream_Channel channel, int* did);
/* Condition of a wait; may set `error`. */
typedef int is_done(void* of, int* error);
/* Makes progress until the condition holds. Begins with a noted error as well. */
int mpistream_wait_until(MPIStream_Channel channel, is_done* done, void* of);
/* Does the same, but notes errors and goes on: for waits that must not end early, because other
 * ranks wait for this one, or MPI reads memory of the program. Returns an error only if MPI has
 * failed for a second without a success, or has lost a message. */
int mpistream_wait_through_errors(MPIStream_Channel channel, is_done* done, void* of);
/* Does what MPI_Allreduce does with MPI_MAX, for at most `most_agreed` ints, and makes progress
 * while it waits. Goes on after errors. If it returns one, either it has not begun, or the channel
 * can't go on: see lose_message. */
int mpistream_allreduce_max(MPIStream_Channel channel, const int* own, int* most, int count);
/* Waits until all ranks have come here, and makes progress meanwhile. A rank that leaves an
 * agreement early may send what makes a later one run a function; after this call, all of them know
 * what was agreed. An error ends the channel: see lose_message. */
int mpistream_meet(MPIStream_Channel channel);

#endif
