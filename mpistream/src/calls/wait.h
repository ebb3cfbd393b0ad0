/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* The condition for which MPIStream_Wait, MPIStream_Test and MPIStream_FreeChannel wait, on a
 * producer, a consumer, or a rank that is both. It relies on produce.h and consumer.h. */
#ifndef MPISTREAM_CALLS_WAIT_H
#define MPISTREAM_CALLS_WAIT_H

/* Whether MPIStream_Wait has nothing left to wait for. Has the type `is_done`. */
int mpistream_is_complete(void* stream, int* error);

#endif
