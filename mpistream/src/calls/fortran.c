/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* Functions that fortran/mpistream.f90 calls; MPI handles of Fortran are integers. */
#include "common/errors.h"

int mpistream_create_channel_f(int is_producer, int is_consumer, MPI_Fint comm,
                               MPIStream_Channel* channel);
int mpistream_channel_comm_f(MPIStream_Channel channel, MPI_Fint* all, MPI_Fint* consumers);
int mpistream_attach_f(MPI_Fint element, MPI_Fint result, MPI_Fint process,
                       MPIStream_Function* intermediate, MPI_Fint terminal, MPIStream* stream,
                       MPIStream_Channel* channel);
MPI_Fint mpistream_terminal_f(MPIStream_Function* function);

int mpistream_create_channel_f(int is_producer, int is_consumer, MPI_Fint comm,
                               MPIStream_Channel* channel) {
  return MPIStream_CreateChannel(is_producer, is_consumer, MPI_Comm_f2c(comm), channel);
}

int mpistream_channel_comm_f(MPIStream_Channel channel, MPI_Fint* all, MPI_Fint* consumers) {
  MPI_Comm of_all = MPI_COMM_NULL, of_consumers = MPI_COMM_NULL;
  TRY(MPIStream_Channel_comm(channel, &of_all, &of_consumers));
  *all = MPI_Comm_c2f(of_all);
  *consumers = MPI_Comm_c2f(of_consumers);
  return MPI_SUCCESS;
}

int mpistream_attach_f(MPI_Fint element, MPI_Fint result, MPI_Fint process,
                       MPIStream_Function* intermediate, MPI_Fint terminal, MPIStream* stream,
                       MPIStream_Channel* channel) {
  MPIStream_Operation operation = {intermediate, MPI_Op_f2c(terminal)};
  return MPIStream_Attach(MPI_Type_f2c(element), MPI_Type_f2c(result), MPI_Type_f2c(process),
                          &operation, stream, channel);
}

MPI_Fint mpistream_terminal_f(MPIStream_Function* function) {
  return MPI_Op_c2f(MPIStream_Terminal(function));
}
