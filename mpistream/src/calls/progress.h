/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* Progress of all streams of a channel, and the loop of all calls that wait. The public functions
 * use it; it drives producer/produce.h and consumer/consume.h, which know nothing of it. */
#ifndef MPISTREAM_CALLS_PROGRESS_H
#define MPISTREAM_CALLS_PROGRESS_H

#include "common/channel.h"

/* Makes all progress on a channel that is possible without waiting. Sets `did` if a message for a
 * consumer was handled. */
int mpistream_make_progress(MPIStream_Channel channel, int* did);
/* Condition of a wait; may set `error`. */
typedef int is_done(void* of, int* error);
/* Makes progress until the condition holds. */
int mpistream_wait_until(MPIStream_Channel channel, is_done* done, void* of);
int mpistream_wait_for_request(MPIStream_Channel channel, MPI_Request* request);
/* Does what MPI_Allreduce does with MPI_MAX, and makes progress while it waits. */
int mpistream_allreduce_max(MPIStream_Channel channel, const int* own, int* most, int count);

#endif
