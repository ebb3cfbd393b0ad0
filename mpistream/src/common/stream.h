/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* A stream: what both roles know of it, and a part for each role that this rank has. All rooms use
 * it; it relies on channel.h, types.h and operations.h. */
#ifndef MPISTREAM_COMMON_STREAM_H
#define MPISTREAM_COMMON_STREAM_H

#include "common/channel.h"
#include "common/operations.h"
#include "common/types.h"

#include <stddef.h>

/* Most bytes of a message with several elements. The limit is so small that both MPIs send the
 * message eagerly, without a request to the receiver, which costs least per byte. */
enum { block_bytes = 4000 };
/* An element of at least this size is sent from the program's own memory, without a copy. */
enum { direct_bytes = 256 * 1024 };

typedef struct producer producer; /* see producer/producer.h */
typedef struct consumer consumer; /* see consumer/consumer.h */

struct MPIStream_object {
  MPIStream_Channel channel;
  MPIStream next;
  int number;
  int alive;

  /* The quick path of MPIStream_Send: so many elements need only be appended to the block that is
   * being filled. 0 on a rank that does not produce, and with several lanes. */
  struct {
    int elements;
    char* block;
    struct lane* lane;
  } quick;
  int element_size; /* bytes of data */

  producer* producer; /* null on a rank without this role */
  consumer* consumer;

  kept_type element, result, process;
  int is_dense;       /* see type_facts; of the element */
  int block_elements; /* most elements in one message */
  stream_operation operation;
  MPIStream_Selection selection;
  MPIStream_Key* key;
  int in_callback; /* a function of the program runs for this stream on this rank */
};

int mpistream_check_stream(const MPIStream* stream);
int mpistream_check_producer(const MPIStream* stream);
int mpistream_check_consumer(const MPIStream* stream);
/* Calls that are collective over a channel wait for all ranks, and keep their state in the channel:
 * a function of the program that runs within one must not begin another. */
int mpistream_check_outside_functions(MPIStream_Channel channel);

/* Makes the return value of a public function of a stream. */
static inline int raise_error_of(const MPIStream* stream, int error) {
  return raise_error(
      error != MPI_SUCCESS && stream != NULL && *stream != NULL ? (*stream)->channel : NULL, error);
}

static inline int is_direct(const struct MPIStream_object* stream) {
  return stream->element_size >= direct_bytes;
}

#endif
