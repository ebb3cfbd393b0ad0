/* SPDX-FileCopyrightText: 2026 The weir authors */
/* SPDX-License-Identifier: Apache-2.0 */

#include <MPIStream.h>

#include <stdio.h>

/* One rank that is producer and consumer at once adds up what it sends itself. */
static void add(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  if (*count == 0)
    *(int*)inout = 0;
  else
    *(int*)inout += *(int*)in;
}

int main(int argc, char** argv) {
  int i, sum = 0;
  MPIStream stream;
  MPIStream_Channel channel;
  MPIStream_Operation operation;
  MPI_Init(&argc, &argv);
  MPIStream_CreateChannel(1, 1, MPI_COMM_WORLD, &channel);
  operation.intermediate_function = &add;
  operation.terminal_function = MPI_SUM;
  MPIStream_Attach(MPI_INT, MPI_INT, MPI_INT, &operation, &stream, &channel);
  for (i = 0; i != 10; ++i) MPIStream_Send(&i, &stream);
  MPIStream_Terminate(&stream);
  MPIStream_Operate(&stream);
  MPIStream_Result(&sum, stream);
  MPIStream_FreeChannel(&channel);
  MPI_Finalize();
  printf("%d\n", sum);
  return sum == 45 ? 0 : 1;
}
