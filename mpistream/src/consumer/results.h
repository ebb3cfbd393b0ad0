/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* The local result of a consumer: how the operation of a stream makes it. Elements, contributions
 * and reductions use it; it relies on consumer.h. */
#ifndef MPISTREAM_CONSUMER_RESULTS_H
#define MPISTREAM_CONSUMER_RESULTS_H

#include "consumer/consumer.h"

/* Makes room for the local and the global result. */
int mpistream_make_result(consumer* self);
/* Gives the local result its initial value. */
void mpistream_begin_result(consumer* self);
/* Has not processed the element if it fails. */
int mpistream_process_element(consumer* self, const void* element);
/* Lets the terminal function finish the local result, after the last element. */
void mpistream_finish_result(consumer* self);
void mpistream_free_result(consumer* self);

#endif
