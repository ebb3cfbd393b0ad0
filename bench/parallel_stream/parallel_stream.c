/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* M's parallel STREAM: producers stream arrays, consumers do one of STREAM's kernels with each.
 *
 *   parallel_stream BY KERNEL DOUBLES ITEMS PRODUCERS REPEATS
 *
 * BY: `stream`: by MPIStream; `messages`: by MPI_Isend and MPI_Irecv, each element a message of its
 * own; `ping_pong`: to and fro by MPI_Send and MPI_Recv, without the kernel; `computation`: the
 * kernel alone. KERNEL: copy, scale, add or triad, done REPEATS times with each element of so many
 * doubles. ITEMS is the number of elements of all PRODUCERS, which are the first ranks; the others
 * consume. Other than by a stream there are as many consumers as producers. Prints, on rank 0, the
 * line that programs of this folder print; CPU time is that of all ranks. */
#include <MPIStream.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static int rank, size, producers, doubles;
static long count; /* elements of a producer */
static enum { copy, scale, add, triad } kernel;
static long repeats; /* of the kernel on each element */
static double *a, *b, *element;

/* Uses two arrays of this rank and the received one. */
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

typedef struct {
  double wall, cpu;
} moment;

static moment now(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return (moment){MPI_Wtime(), (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                                   1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec)};
}

static void by_stream(moment* begin) {
  const int produces = rank < producers;
  MPIStream_Channel channel;
  MPIStream stream;
  MPI_Datatype type;
  MPI_Type_contiguous(doubles, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  must(MPIStream_CreateChannel(produces, !produces, MPI_COMM_WORLD, &channel), "channel");
  MPIStream_Operation operation = {work, MPI_SUM};
  must(MPIStream_Attach(type, MPI_LONG, MPI_DOUBLE, &operation, &stream, &channel), "stream");
  MPI_Type_free(&type);
  MPI_Barrier(MPI_COMM_WORLD);
  *begin = now();
  if (produces) {
    for (long i = 0; i != count; ++i) {
      element[0] = (double)i;
      must(MPIStream_Send(element, &stream), "send");
    }
    must(MPIStream_Terminate(&stream), "terminate");
  } else {
    long all = 0;
    must(MPIStream_Operate(&stream), "operate");
    must(MPIStream_Result(&all, stream), "result");
    if (all != count * producers) {
      fprintf(stderr, "parallel_stream: %ld elements instead of %ld\n", all, count * producers);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
  must(MPIStream_FreeChannel(&channel), "free");
}

static void by_messages(moment* begin) {
  enum { window = 16 };
  const int produces = rank < producers, other = produces ? rank + producers : rank - producers;
  MPI_Request requests[window];
  double* buffers[window] = {NULL};
  for (int i = 0; i != window; ++i) requests[i] = MPI_REQUEST_NULL;
  const size_t bytes = sizeof(double) * (size_t)doubles;
  const int used = bytes * window > (64u << 20) ? 2 : window;
  for (int i = 0; !produces && i != used; ++i) memset(buffers[i] = malloc(bytes), 0, bytes);
  MPI_Barrier(MPI_COMM_WORLD);
  *begin = now();
  for (long i = 0; !produces && i < used && i != count; ++i)
    MPI_Irecv(buffers[i], doubles, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &requests[i]);
  for (long i = 0; i != count; ++i) {
    MPI_Request* const oldest = &requests[i % used];
    MPI_Wait(oldest, MPI_STATUS_IGNORE);
    if (produces) {
      MPI_Isend(element, doubles, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, oldest);
    } else {
      work_on(buffers[i % used]);
      if (i + used < count) MPI_Irecv(buffers[i % used], doubles, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, oldest);
    }
  }
  for (int i = 0; i != window; ++i) {
    MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    free(buffers[i]);
  }
}

static void by_ping_pong(moment* begin) {
  const int first = rank < producers, other = first ? rank + producers : rank - producers;
  MPI_Barrier(MPI_COMM_WORLD);
  *begin = now();
  for (long i = 0; i < count / 2; ++i) {
    if (first) MPI_Send(element, doubles, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
    MPI_Recv(element, doubles, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!first) MPI_Send(element, doubles, MPI_DOUBLE, other, 0, MPI_COMM_WORLD);
  }
}

static void computation(moment* begin) {
  MPI_Barrier(MPI_COMM_WORLD);
  *begin = now();
  for (long i = 0; i != count && rank >= producers; ++i) work_on(element);
}

static int index_of(const char* word, const char* const* words, int number) {
  for (int i = 0; i != number; ++i) {
    if (strcmp(word, words[i]) == 0) return i;
  }
  return -1;
}

int main(int argc, char** argv) {
  static const char* const kernels[] = {"copy", "scale", "add", "triad"};
  static const char* const ways[] = {"stream", "messages", "ping_pong", "computation"};
  static void (*const runs[])(moment*) = {by_stream, by_messages, by_ping_pong, computation};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int way = argc == 7 ? index_of(argv[1], ways, 4) : -1, known = argc == 7 ? index_of(argv[2], kernels, 4) : -1;
  doubles = argc == 7 ? atoi(argv[3]) : 0;
  producers = argc == 7 ? atoi(argv[5]) : 0;
  count = producers > 0 ? atol(argv[4]) / producers : 0;
  if (way < 0 || known < 0 || doubles <= 0 || count <= 0 || producers >= size || (way != 0 && size != 2 * producers)) {
    if (rank == 0)
      fprintf(stderr,
              "usage: mpirun -n RANKS parallel_stream stream|messages|ping_pong|computation copy|scale|add|triad "
              "DOUBLES ITEMS PRODUCERS REPEATS\n");
    MPI_Finalize();
    return 2;
  }
  kernel = (unsigned)known;
  repeats = atol(argv[6]);
  const size_t bytes = sizeof(double) * (size_t)doubles;
  a = calloc(1, bytes);
  b = calloc(1, bytes);
  element = calloc(1, bytes);
  if (a == NULL || b == NULL || element == NULL) must(MPI_ERR_NO_MEM, "arrays");
  moment begin;
  runs[way](&begin);
  const moment end = now();
  double own = end.wall - begin.wall, used = end.cpu - begin.cpu, wall = 0, cpu = 0;
  MPI_Reduce(&own, &wall, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Reduce(&used, &cpu, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  const double all = (double)(count * producers);
  if (rank == 0)
    printf(
        "{\"problem\":\"parallel_stream\",\"contender\":\"%s\",\"items\":%.0f,\"wall_ns\":%.0f,\"cpu_ns\":%.0f,"
        "\"extra\":{\"MB_per_s\":%.6g,\"wall_ms\":%.6g}}\n",
        ways[way], all, wall * 1e9, cpu * 1e9, all * (double)bytes / wall * 1e-6, wall * 1e3);
  MPI_Finalize();
  return 0;
}
