/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0

   A threshold collective with one slow rank (M §5.2). Each round, two ranks contribute, the second
   of them late; the contribution of the first alone makes the answer certain. How long the first
   waits for the answer: by a threshold collective, which a third rank decides, and by MPI_Allreduce
   of the two; and beside these, how long an empty message takes to the third rank and back. */
#include <MPIStream.h>
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { fast, slow, deciding, ranks };

static int rank, rounds;
static long late_ms;
static MPI_Comm contributing; /* the two contributing ranks */
static MPIStream stream;
static double* waited;

static void must(int error, const char* what) {
  if (error == MPI_SUCCESS) return;
  fprintf(stderr, "threshold: %s has failed\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void be_late(void) {
  struct timespec left = {late_ms / 1000, late_ms % 1000 * 1000000};
  while (nanosleep(&left, &left) != 0 && errno == EINTR) continue;
}

static void decide(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  (void)inout;
  (void)datatype;
  if (*len == 0 || *(const int*)in == 0) return;
  must(MPIStream_ThresholdColl(NULL, &(int){1}, &stream), "answering");
}

/* @return the value on which the two ranks agree */
static int by_threshold(void) {
  int answer = 0;
  must(MPIStream_ThresholdColl(&(int){rank == fast}, &answer, &stream), "contributing");
  return answer;
}

static int by_allreduce(void) {
  int answer = 0;
  MPI_Allreduce(&(int){rank == fast}, &answer, 1, MPI_INT, MPI_MAX, contributing);
  return answer;
}

static void contribute(int (*by)(void)) {
  for (int i = 0; i != rounds; ++i) {
    MPI_Barrier(contributing);
    if (rank == slow) be_late();
    const double begin = MPI_Wtime();
    if (by() != 1) must(MPI_ERR_OTHER, "the answer");
    waited[i] = MPI_Wtime() - begin;
  }
}

static void with_threshold(void) {
  MPIStream_Channel channel;
  MPIStream_Operation operation = {decide, MPI_OP_NULL};
  must(MPIStream_CreateChannel(rank != deciding, rank == deciding, MPI_COMM_WORLD, &channel), "making a channel");
  must(MPIStream_Attach(MPI_INT, MPI_INT, MPI_INT, &operation, &stream, &channel), "attaching");
  if (rank == deciding) {
    must(MPIStream_Operate(&stream), "operating");
  } else {
    contribute(by_threshold);
    must(MPIStream_Terminate(&stream), "ending");
  }
  must(MPIStream_FreeChannel(&channel), "freeing the channel");
}

static void with_allreduce(void) {
  if (rank != deciding) contribute(by_allreduce);
}

static void round_trip(void) {
  char none = 0;
  if (rank == slow) return;
  for (int i = 0; i != rounds; ++i) {
    if (rank == fast) be_late();
    const double begin = MPI_Wtime();
    if (rank == fast) MPI_Send(&none, 0, MPI_CHAR, deciding, 0, MPI_COMM_WORLD);
    MPI_Recv(&none, 0, MPI_CHAR, rank == fast ? deciding : fast, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank != fast) MPI_Send(&none, 0, MPI_CHAR, fast, 0, MPI_COMM_WORLD);
    waited[i] = MPI_Wtime() - begin;
  }
}

static int by_size(const void* a, const void* b) {
  const double left = *(const double*)a, right = *(const double*)b;
  return (left > right) - (left < right);
}

int main(int argc, char** argv) {
  static const char* const ways[] = {"threshold", "allreduce", "round_trip"};
  static void (*const runs[])(void) = {with_threshold, with_allreduce, round_trip};
  int size = 0, way = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  while (argc == 4 && way != 3 && strcmp(argv[1], ways[way]) != 0) ++way;
  rounds = argc == 4 ? atoi(argv[2]) : 0;
  late_ms = argc == 4 ? atol(argv[3]) : 0;
  if (way == 3 || rounds <= 0 || late_ms < 0 || size != ranks) {
    if (rank == 0) fprintf(stderr, "usage: mpirun -n 3 threshold threshold|allreduce|round_trip ROUNDS MILLISECONDS\n");
    MPI_Finalize();
    return 2;
  }
  MPI_Comm_split(MPI_COMM_WORLD, rank == deciding, rank, &contributing);
  waited = calloc((size_t)rounds, sizeof *waited);
  if (waited == NULL) must(MPI_ERR_NO_MEM, "memory");
  runs[way]();
  if (rank == fast) {
    double all = 0;
    for (int i = 0; i != rounds; ++i) all += waited[i];
    qsort(waited, (size_t)rounds, sizeof *waited, by_size);
    printf(
        "{\"problem\":\"threshold\",\"contender\":\"%s\",\"items\":%d,\"wall_ns\":%.0f,\"cpu_ns\":%.0f,"
        "\"extra\":{\"wait_us\":%.6g,\"wait_us_90\":%.6g}}\n",
        ways[way], rounds, all * 1e9, (double)clock() / CLOCKS_PER_SEC * 1e9, waited[rounds / 2] * 1e6,
        waited[rounds * 9 / 10] * 1e6);
  }
  MPI_Comm_free(&contributing);
  MPI_Finalize();
  return 0;
}
