/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */
#include "objects.h"

int MPISTREAM_ERR_CHANNEL = MPI_ERR_OTHER;
int MPISTREAM_ERR_STREAM = MPI_ERR_OTHER;
int MPISTREAM_ERR_ROLE = MPI_ERR_OTHER;
int MPISTREAM_ERR_ENDED = MPI_ERR_OTHER;
int MPISTREAM_ERR_TYPE = MPI_ERR_OTHER;
int MPISTREAM_ERR_OPERATION = MPI_ERR_OTHER;
int MPISTREAM_ERR_CALL = MPI_ERR_OTHER;

void set_up_errors(void) {
  static int done;
  int running = 0, over = 0;
  if (done || MPI_Initialized(&running) != MPI_SUCCESS || !running || MPI_Finalized(&over) != MPI_SUCCESS || over)
    return;
  done = 1;
  const struct {
    int* error;
    const char* words;
  } all[] = {
      {&MPISTREAM_ERR_CHANNEL, "MPIStream: this is no channel, or it has been freed"},
      {&MPISTREAM_ERR_STREAM, "MPIStream: this is no stream, or its channel has been freed"},
      {&MPISTREAM_ERR_ROLE,
       "MPIStream: this rank's part in the channel is another one: only producers send, terminate and query, only "
       "consumers operate"},
      {&MPISTREAM_ERR_ENDED, "MPIStream: this rank has terminated its part of the stream, or the stream is over"},
      {&MPISTREAM_ERR_TYPE,
       "MPIStream: a type without data, too large, not made of whole items of the process type, or not the same on all "
       "ranks"},
      {&MPISTREAM_ERR_OPERATION, "MPIStream: an operation that does not fit the types of the stream, or none"},
      {&MPISTREAM_ERR_CALL,
       "MPIStream: this may not be called from within a function of the stream, or only from there"},
  };
  for (size_t i = 0; i != sizeof all / sizeof *all; ++i) {
    int made = MPI_ERR_OTHER;
    if (MPI_Add_error_class(&made) != MPI_SUCCESS) continue;
    MPI_Add_error_string(made, all[i].words);
    *all[i].error = made;
  }
}

int check_channel(MPIStream_Channel channel) {
  set_up_errors();
  return channel != NULL && channel->alive ? MPI_SUCCESS : MPISTREAM_ERR_CHANNEL;
}

int check_stream(const MPIStream* stream) {
  if (stream != NULL && *stream != NULL && (*stream)->alive) return MPI_SUCCESS;
  set_up_errors();
  return MPISTREAM_ERR_STREAM;
}
