/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* The selection rule on a producer. MPIStream_Send and MPIStream_Isend use it; it relies on
 * lanes.h. */
#ifndef MPISTREAM_PRODUCER_SELECTION_H
#define MPISTREAM_PRODUCER_SELECTION_H

#include "producer/producer.h"

/* Chooses the lane, and so the consumer, of an element. */
lane* mpistream_choose_lane(producer* self, const void* element);

#endif
