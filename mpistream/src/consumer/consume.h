/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* The part of a stream on a consumer: how it is made and ends, and all work that it can do without
 * waiting. A function that fails may be called again, and then goes on where it was: no element is
 * processed twice, and no message is lost. The public functions and progress.h use it; it relies on
 * the other files of this room. */
#ifndef MPISTREAM_CONSUMER_CONSUME_H
#define MPISTREAM_CONSUMER_CONSUME_H

#include "consumer/consumer.h"

/* Does not call the functions of the program: see mpistream_begin_result. */
int mpistream_open_consumer(MPIStream stream, int expected_ends);
/* Goes on after an error, and returns the first one. */
int mpistream_close_consumer(MPIStream stream);
/* Notes that the program has operated the streams of a channel: their selection rules now stay. */
void mpistream_mark_operated(MPIStream_Channel channel);
/* Handles the messages that have arrived for the streams of a channel. Sets `did` if there was one.
 */
int mpistream_consume_arrived(MPIStream_Channel channel, int* did);

#endif
