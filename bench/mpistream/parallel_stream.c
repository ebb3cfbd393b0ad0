/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* M's parallel STREAM: producers stream arrays, consumers do one of STREAM's kernels with each.
 *
 *   parallel_stream sizes KERNEL ROUNDS        elements of 1 to 4 Mi doubles, half of the ranks produce (M fig. 6), beside MPI_Isend and MPI_Irecv with the same
 *                                              kernel, and MPI_Send and MPI_Recv to and fro
 *   parallel_stream producers KERNEL ROUNDS    elements of 256, 512, 1024 doubles; the last rank consumes, from 1, 2, 4, ... of the others (M fig. 4)
 *   parallel_stream flops KERNEL ROUNDS        512 doubles, with 1 to 1000 operations for each (M fig. 5), beside communication and computation alone
 *
 * KERNEL: copy, scale, add or triad. Prints, on rank 0, a line of CSV for each measurement of each round: what, doubles, parameter, seconds, elements. */
#include <MPIStream.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, rounds, doubles;
static enum { copy, scale, add, triad } kernel;
static long repeats = 1; /* of the kernel on each element */
static double *a, *b;

/* Of two arrays here and the one that has come. */
static void work_on(const double* c) {
  for (long repeat = 0; repeat != repeats; ++repeat) {
    switch (kernel) {
      case copy:
        for (int i = 0; i != doubles; ++i) a[i] = c[i];
        break;
      case scale:
        for (int i = 0; i != doubles; ++i) a[i] = 3.0 * c[i];
        break;
      case add:
        for (int i = 0; i != doubles; ++i) a[i] = b[i] + c[i];
        break;
      case triad:
        for (int i = 0; i != doubles; ++i) a[i] = b[i] + 3.0 * c[i];
        break;
    }
    __asm__ volatile("" : : "r"(a) : "memory");
  }
}

static void work(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)datatype;
  if (*len == 0) {
    *(long*)inout = 0;
    return;
  }
  work_on(in);
  ++*(long*)inout;
}

static void must(int error, const char* what) {
  if (error == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(error, text, &length);
  fprintf(stderr, "parallel_stream: %s: %s\n", what, text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Seconds from when all are ready until the last has done it. */
static double since(double begin) {
  double own = MPI_Wtime() - begin, most = 0;
  MPI_Allreduce(&own, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

static void report(const char* what, long parameter, double seconds, long elements) {
  if (rank == 0) printf("%s,%d,%ld,%.9f,%ld\n", what, doubles, parameter, seconds, elements), fflush(stdout);
}

/* Each producer streams `count` elements; `producers` of the ranks do, from the first, and the last `consumers` consume. */
static double by_stream(int producers, int consumers, long count, double* element) {
  const int produces = rank < producers, consumes = rank >= size - consumers;
  MPIStream_Channel channel;
  MPIStream stream;
  MPI_Datatype type;
  MPI_Type_contiguous(doubles, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  must(MPIStream_CreateChannel(produces, consumes, MPI_COMM_WORLD, &channel), "channel");
  MPIStream_Operation operation = {work, MPI_SUM};
  must(MPIStream_Attach(type, MPI_LONG, MPI_DOUBLE, &operation, &stream, &channel), "stream");
  MPI_Type_free(&type);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  if (produces) {
    for (long i = 0; i != count; ++i) {
      element[0] = (double)i;
      must(MPIStream_Send(element, &stream), "send");
    }
    must(MPIStream_Terminate(&stream), "terminate");
  }
  if (consumes) {
    long all = 0;
    must(MPIStream_Operate(&stream), "operate");
    must(MPIStream_Result(&all, stream), "result");
    if (all != count * producers) {
      fprintf(stderr, "parallel_stream: %ld elements instead of %ld\n", all, count * producers);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
  const double seconds = since(begin);
  must(MPIStream_FreeChannel(&channel), "free");
  return seconds;
}

/* The same elements, each a message of its own, from the first half of the ranks to the second. */
static double by_messages(long count, double* element) {
  enum { window = 16 };
  const int half = size / 2, produces = rank < half, other = produces ? rank + half : rank - half;
  MPI_Request requests[window];
  double* buffers[window] = {NULL};
  for (int i = 0; i != window; ++i) requests[i] = MPI_REQUEST_NULL;
  const int used = (size_t)doubles * sizeof(double) * window > (64u << 20) ? 2 : window;
  if (!produces) {
    for (int i = 0; i != used; ++i) memset(buffers[i] = malloc(sizeof(double) * (size_t)doubles), 0, sizeof(double) * (size_t)doubles);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  if (produces) {
    for (long i = 0; i != count; ++i) {
      MPI_Wait(&requests[i % used], MPI_STATUS_IGNORE);
      MPI_Isend(element, doubles, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &requests[i % used]);
    }
    MPI_Waitall(used, requests, MPI_STATUSES_IGNORE);
  } else {
    for (long i = 0; i != used && i != count; ++i)
      MPI_Irecv(buffers[i], doubles, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &requests[i]);
    for (long i = 0; i != count; ++i) {
      MPI_Wait(&requests[i % used], MPI_STATUS_IGNORE);
      work_on(buffers[i % used]);
      if (i + used < count) MPI_Irecv(buffers[i % used], doubles, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &requests[i % used]);
    }
  }
  const double seconds = since(begin);
  for (int i = 0; i != window; ++i) free(buffers[i]);
  return seconds;
}

/* To and fro: `count` messages each way. */
static double by_ping_pong(long count, double* element) {
  const int half = size / 2, first = rank < half, other = first ? rank + half : rank - half;
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (long i = 0; i != count; ++i) {
    if (first) MPI_Send(element, doubles, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
    MPI_Recv(element, doubles, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!first) MPI_Send(element, doubles, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
  }
  return since(begin);
}

static void set_size(int wanted) {
  doubles = wanted;
  const size_t bytes = sizeof(double) * (size_t)doubles;
  a = realloc(a, bytes);
  b = realloc(b, bytes);
  if (a == NULL || b == NULL) must(MPI_ERR_NO_MEM, "arrays");
  memset(a, 0, bytes);
  memset(b, 0, bytes);
}

/* About this many bytes, but not too many elements. */
static long elements_of(long bytes) {
  const long count = bytes / ((long)sizeof(double) * doubles);
  return count < 8 ? 8 : count > 1000000 ? 1000000 : count;
}

static void sizes(void) {
  for (int wanted = 1; wanted <= 1 << 22; wanted *= 4) {
    set_size(wanted);
    double* const element = calloc((size_t)doubles, sizeof(double));
    const long count = elements_of(512L << 20);
    for (int round = 0; round != rounds; ++round) {
      report("stream", size / 2, by_stream(size / 2, size / 2, count, element), count);
      report("messages", size / 2, by_messages(count, element), count);
      report("ping_pong", size / 2, by_ping_pong(count / 2 + 1, element), 2 * (count / 2 + 1));
    }
    free(element);
  }
}

static void producers(void) {
  for (int wanted = 256; wanted <= 1024; wanted *= 2) {
    set_size(wanted);
    double* const element = calloc((size_t)doubles, sizeof(double));
    for (int round = 0; round != rounds; ++round) {
      for (int count = 1; count < size; count = count == size - 1 ? size : 2 * count < size - 1 ? 2 * count : size - 1) {
        const long each = elements_of(256L << 20) / count;
        report("stream", count, by_stream(count, 1, each, element), each * count);
      }
    }
    free(element);
  }
}

static void flops(void) {
  set_size(512);
  double* const element = calloc((size_t)doubles, sizeof(double));
  const long count = 20000;
  for (long wanted = 1; wanted <= 1000; wanted *= 10) {
    for (int round = 0; round != rounds; ++round) {
      repeats = 0;
      report("communication", wanted, by_stream(size / 2, size / 2, count, element), count);
      repeats = wanted;
      report("both", wanted, by_stream(size / 2, size / 2, count, element), count);
      MPI_Barrier(MPI_COMM_WORLD);
      const double begin = MPI_Wtime();
      for (long i = 0; i != count && rank >= size / 2; ++i) work_on(element);
      report("computation", wanted, since(begin), count);
    }
  }
  free(element);
}

int main(int argc, char** argv) {
  static const char* const kernels[] = {"copy", "scale", "add", "triad"};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int found = 0;
  for (int i = 0; argc == 4 && i != 4; ++i) {
    if (strcmp(argv[2], kernels[i]) != 0) continue;
    kernel = (unsigned)i;
    found = 1;
  }
  rounds = found ? atoi(argv[3]) : 0;
  void (*const run)(void) = rounds <= 0                          ? NULL
                            : strcmp(argv[1], "sizes") == 0     ? sizes
                            : strcmp(argv[1], "producers") == 0 ? producers
                            : strcmp(argv[1], "flops") == 0     ? flops
                                                                : NULL;
  if (run == NULL || size < 2 || (run != producers && size % 2 != 0)) {
    if (rank == 0) fprintf(stderr, "usage: mpirun -n RANKS parallel_stream sizes|producers|flops copy|scale|add|triad ROUNDS, with an even number of ranks, or any for producers\n");
    MPI_Finalize();
    return 2;
  }
  run();
  MPI_Finalize();
  return 0;
}
