/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "common/stream.h"

int mpistream_check_stream(const MPIStream* stream) {
  if (stream != NULL && *stream != NULL && (*stream)->alive) return MPI_SUCCESS;
  mpistream_set_up_errors();
  return MPISTREAM_ERR_STREAM;
}

int mpistream_check_producer(const MPIStream* stream) {
  TRY(mpistream_check_stream(stream));
  return (*stream)->producer != NULL ? MPI_SUCCESS : MPISTREAM_ERR_ROLE;
}

int mpistream_check_consumer(const MPIStream* stream) {
  TRY(mpistream_check_stream(stream));
  return (*stream)->consumer != NULL ? MPI_SUCCESS : MPISTREAM_ERR_ROLE;
}

int mpistream_check_outside_functions(MPIStream_Channel channel) {
  for (MPIStream each = channel->streams; each != NULL; each = each->next) {
    if (each->in_callback) return MPISTREAM_ERR_CALL;
  }
  return MPI_SUCCESS;
}
