/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* The combination of the local results to a global one, at the end and for queries. consume.h uses
 * it; it relies on results.h and messages.h.
 *
 * *Consumers* form a binomial tree with consumer 0 as its root. The subtree of a child is a range
 * of consumers that follow its parent's own, so results are combined in the order of consumers.
 * Each message only changes the state; mpistream_reduce_further then takes all steps that have
 * become possible. A function that fails has had no effect, and may be called again: a step, with
 * all messages that belong to it, is taken once or not at all. */
#ifndef MPISTREAM_CONSUMER_COMBINE_H
#define MPISTREAM_CONSUMER_COMBINE_H

#include "common/messages.h"
#include "consumer/consumer.h"

/* On consumer 0: a producer asks for the present global result. */
int mpistream_add_query(consumer* self, int rank);
/* The parent asks for the partial result of that number. */
void mpistream_add_request(consumer* self, int number);
/* A child has sent its part of the partial or of the final result. */
int mpistream_add_part(consumer* self, control_message* message);
/* The parent has sent the global result. */
int mpistream_take_global(consumer* self, control_message* message);
/* Finishes the local result after the last element, and adds it to the final result. */
int mpistream_add_own_final(consumer* self);
/* Takes the steps of the reductions that are possible now. */
int mpistream_reduce_further(consumer* self);
void mpistream_free_reductions(consumer* self);

#endif
