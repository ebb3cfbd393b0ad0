/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* A filter: producers stream only the values above a threshold, as soon as they have them; the
 * consumers count these values and keep the largest. Needs at least two ranks. */
#include "MPIStream.h"

#include <stdio.h>

typedef struct {
  long count;
  long largest;
} summary;

static void take(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  summary* const now = inout;
  if (*len == 0) {
    *now = (summary){0, 0};
    return;
  }
  const long item = *(const long*)in;
  ++now->count;
  if (item > now->largest) now->largest = item;
}

static void join(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)len, (void)datatype;
  if (*len == 0) return;
  const summary* const a = in;
  summary* const b = inout;
  b->count += a->count;
  if (a->largest > b->largest) b->largest = a->largest;
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPIStream_Channel channel;
  if (MPIStream_CreateChannel(rank != size - 1, rank == size - 1, MPI_COMM_WORLD, &channel) !=
      MPI_SUCCESS) {
    fprintf(stderr, "filter: needs at least 2 ranks\n");
    MPI_Finalize();
    return 2;
  }
  MPI_Datatype of_summary;
  MPI_Type_contiguous(2, MPI_LONG, &of_summary);
  MPI_Type_commit(&of_summary);
  MPIStream_Operation operation = {take, MPIStream_Terminal(join)};
  MPIStream stream;
  MPIStream_Attach(MPI_LONG, of_summary, MPI_LONG, &operation, &stream, &channel);
  MPI_Type_free(&of_summary);
  if (rank != size - 1) {
    for (long i = rank; i < 100000; i += size - 1) {
      const long value = i * 7919 % 100003;
      if (value > 90000) MPIStream_Send(&value, &stream);
    }
    MPIStream_Terminate(&stream);
  } else {
    summary all;
    MPIStream_Operate(&stream);
    MPIStream_Result(&all, stream);
    printf("%ld values above 90000, the largest of them %ld\n", all.count, all.largest);
  }
  MPIStream_FreeChannel(&channel);
  MPI_Finalize();
  return 0;
}
