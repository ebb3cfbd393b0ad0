/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* The part of a stream on a producer: how it is made and ends, and all work that it can do without
 * waiting. A function that fails may be called again, and then goes on where it was. The public
 * functions and progress.h use it; it relies on lanes.h and replies.h. */
#ifndef MPISTREAM_PRODUCER_PRODUCE_H
#define MPISTREAM_PRODUCER_PRODUCE_H

#include "producer/producer.h"

int mpistream_open_producer(MPIStream stream);
/* Goes on after an error, and returns the first one. */
int mpistream_close_producer(MPIStream stream);
/* Takes the element if there is room for it and for all that have been deferred. Has not taken it
 * if it fails. */
int mpistream_take_element(producer* self, lane* on, const void* element, int* taken);
/* Keeps the address of an element for which there was no room. */
int mpistream_defer_element(producer* self, lane* on, const void* element);
/* Sends deferred elements while there is room; if the program has terminated this rank's part, also
 * all blocks and the ends. */
int mpistream_send_deferred(producer* self);
/* Sends partly filled blocks to consumers that are not behind. */
int mpistream_send_partial_blocks(producer* self);
/* Begins to end this rank's part: sends what there is room for. The part is ending even if it
 * fails. */
int mpistream_begin_termination(producer* self);
/* Sends what there is room for, and tests all sends. Sets `is_done` once no send reads the
 * program's memory any more and, if this part is ending, once the consumers have received its end.
 */
int mpistream_send_rest(producer* self, int* is_done);
/* Sends the blocks there is room for. Sets `is_done` once all elements will arrive even if this
 * rank makes no further call. */
int mpistream_flush_blocks(producer* self, int* is_done);

#endif
