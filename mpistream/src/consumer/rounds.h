/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* The rounds of threshold collectives on consumer 0, which decides them. consume.h and
 * MPIStream_ThresholdColl use it; it relies on results.h and messages.h. */
#ifndef MPISTREAM_CONSUMER_ROUNDS_H
#define MPISTREAM_CONSUMER_ROUNDS_H

#include "common/messages.h"
#include "consumer/consumer.h"

/* A producer contributes an element to a round. Drops it if the round has been decided. */
int mpistream_take_contribution(consumer* self, control_message* message);
/* Decides the present round, from within the processing of a contribution: sends the answer, an
 * object of the process type, to all producers. */
int mpistream_decide_round(consumer* self, const void* answer);

#endif
