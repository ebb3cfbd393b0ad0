/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* Listing 1 of M: two consumers sum the elements of the producers; needs at least three ranks.
 * Corrected: AccumulateOverTime stands before its use. Added: the results are printed, and the
 * headers for that. */
#include "MPIStream.h"

#include <stdio.h>

// user-defined operation on stream
void AccumulateOverTime(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  if (*len == 0)
    *((int*)inout) = 0;  // initialize the result
  else if (*len == 1) {
    *((int*)inout) += *((int*)in);  // accumulate the result
  }
}

int main(int argc, char** argv) {
  int myrank, nprocs;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &myrank);
  MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
  // two data consumers, the rest are data producers
  int is_data_producer = myrank < (nprocs - 2);
  int is_data_consumer = myrank >= (nprocs - 2);
  // stream initialization stage
  MPIStream_Channel channel;
  MPIStream_CreateChannel(is_data_producer, is_data_consumer, MPI_COMM_WORLD, &channel);
  // 1. specify stream element
  MPI_Datatype resultDataType, streamDatatype, processDatatype;
  processDatatype = MPI_INT;
  streamDatatype = MPI_INT;
  resultDataType = MPI_INT;
  // 2. specify one stream operation
  MPIStream_Operation operation;
  operation.intermediate_function = &AccumulateOverTime;
  operation.terminal_function = MPI_SUM;
  // 3. attach the specified operation to a parallel stream
  MPIStream stream0;
  MPIStream_Attach(streamDatatype, resultDataType, processDatatype, &operation, &stream0, &channel);
  // Start of the data streaming stage
  if (is_data_consumer)  // data consumers keep on processing data
    MPIStream_Operate(&stream0);
  if (is_data_producer) {
    for (int i = 0; i < 100; i++)  // data producers stream out 100 elements belonging to stream0
      MPIStream_Send(&i, &stream0);
    MPIStream_Terminate(&stream0);  // data producers signal the termination of its data
  }
  if (is_data_consumer) {
    int sum = 0;
    MPIStream_Result(&sum, stream0);
    if (myrank == nprocs - 1) printf("sum of all elements: %d\n", sum);
  }
  // Finalize
  MPIStream_FreeChannel(&channel);
  MPI_Finalize();
  return 0;
}
