/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* A stateful operation: each consumer keeps its elements and sorts them after the last one; the
 * terminal operation merges the sorted elements of all consumers (M §3.1). Needs at least two
 * ranks, of which a third consume. */
#include "MPIStream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 30000 };
typedef struct {
  int count;
  int numbers[most];
} sorted;

static int compare(const void* a, const void* b) {
  const int x = *(const int*)a, y = *(const int*)b;
  return (x > y) - (x < y);
}

static void keep(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  sorted* const own = inout;
  if (*len == 0) {
    own->count = 0;
  } else {
    own->numbers[own->count++] = *(const int*)in;
  }
}

static void merge(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  static int both[most];
  sorted* const b = inout;
  if (*len == 0) {  // the last element has come
    qsort(b->numbers, (size_t)b->count, sizeof(int), compare);
    return;
  }
  const sorted* const a = in;
  int i = 0, j = 0, made = 0;
  while (i != a->count || j != b->count)
    both[made++] = j == b->count || (i != a->count && a->numbers[i] <= b->numbers[j])
                       ? a->numbers[i++]
                       : b->numbers[j++];
  memcpy(b->numbers, both, sizeof(int) * (size_t)made);
  b->count = made;
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int consumers = (size + 2) / 3, producers = size - consumers;
  const int is_consumer = rank >= producers;
  MPIStream_Channel channel;
  if (MPIStream_CreateChannel(!is_consumer, is_consumer, MPI_COMM_WORLD, &channel) != MPI_SUCCESS) {
    fprintf(stderr, "sort: needs at least 2 ranks\n");
    MPI_Finalize();
    return 2;
  }
  MPI_Datatype of_sorted;
  MPI_Type_contiguous(most + 1, MPI_INT, &of_sorted);
  MPI_Type_commit(&of_sorted);
  MPIStream_Operation operation = {keep, MPIStream_Terminal(merge)};
  MPIStream stream;
  MPIStream_Attach(MPI_INT, of_sorted, MPI_INT, &operation, &stream, &channel);
  MPI_Type_free(&of_sorted);
  if (!is_consumer) {
    for (int i = rank; i < most; i += producers)
      MPIStream_Send(&(int){(int)(i * 7919L % most)}, &stream);
    MPIStream_Terminate(&stream);
  } else {
    static sorted all;
    MPIStream_Operate(&stream);
    MPIStream_Result(&all, stream);
    int wrong = all.count != most;
    for (int i = 0; i < all.count; ++i) wrong += all.numbers[i] != i;
    if (rank == size - 1)
      printf("%d numbers, %s\n", all.count, wrong == 0 ? "sorted" : "not sorted");
  }
  MPIStream_FreeChannel(&channel);
  MPI_Finalize();
  return 0;
}
