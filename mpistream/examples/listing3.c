/* SPDX-FileCopyrightText: 2026 The weir authors
   SPDX-License-Identifier: Apache-2.0 */

/* Listing 3 of M: an iteration goes on until the sum of all ranks' errors is below a threshold.
 * Each round ends as soon as its answer is certain: early if the threshold is exceeded, even if
 * some ranks are slow. Needs at least two ranks. Corrected: `stream`, `thresholdValue` and `result`
 * are declared; the local result is passed by its address, together with its round, since the
 * function reads both; all have contributed when the number of contributions is the number of
 * producers, not MPI_MAX; the next round is the number of the round plus one, not the number of
 * contributions plus one; the loop ends when the threshold is no longer exceeded (1 means
 * exceeded); `local_cnt` and `result` in the loop are the `local_result` and `global_result` from
 * before the loop; consumers operate; with *len == 0 the round begins at 0. */
#define _POSIX_C_SOURCE 200809L
#include "MPIStream.h"

#include <stdio.h>
#include <time.h>

static MPIStream stream;
static const int thresholdValue = 1000;
static int producers;

// Intermediate Operation
void ThresholdOp(void* in, void* inout, int* len, MPI_Datatype* datatype) {
  int* inptr = (int*)in;
  int* outptr = (int*)inout;
  int result;
  (void)datatype;
  if (*len == 0) {
    *(outptr + 0) = 0;
    *(outptr + 1) = 0;
    *(outptr + 2) = 0;
  } else if (*len > 0) {
    if (*(inptr) == *(outptr)) {
      *(outptr + 1) = *(outptr + 1) + 1;
      *(outptr + 2) = *(outptr + 2) + *(inptr + 1);  // Capture the sum
      // if the result can be concluded now, return result
      if (*(outptr + 1) == producers || *(outptr + 2) > thresholdValue) {
        result = *(outptr + 2) > thresholdValue ? 1 : 0;
        MPIStream_ThresholdColl(NULL, &result, &stream);
        // Move to the next time step
        *outptr = *(outptr) + 1;
        *(outptr + 1) = 0;
        *(outptr + 2) = 0;
      }
    }
  }
}

// The remaining error of a rank, which halves with each step; a slow rank takes longer for it.
static int local_Norm(int step, int is_slow) {
  if (is_slow) nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
  return 4000 >> step;
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size < 2) {
    fprintf(stderr, "listing3: needs at least 2 ranks\n");
    MPI_Finalize();
    return 2;
  }
  const int isStreamer = rank != size - 1;
  MPIStream_Channel channel;
  MPIStream_CreateChannel(isStreamer, !isStreamer, MPI_COMM_WORLD, &channel);
  MPIStream_Channel_size(channel, &producers, NULL);
  MPI_Datatype contribution, state;
  MPI_Type_contiguous(2, MPI_INT, &contribution);
  MPI_Type_commit(&contribution);
  MPI_Type_contiguous(3, MPI_INT, &state);
  MPI_Type_commit(&state);
  MPIStream_Operation operation;
  operation.intermediate_function = &ThresholdOp;
  operation.terminal_function = MPI_OP_NULL;
  MPIStream_Attach(contribution, state, MPI_INT, &operation, &stream, &channel);
  if (isStreamer) {
    int global_result, step = 0;
    const int is_slow = producers > 1 && rank == 0;
    // Check the initial solution
    int local_result[2] = {step, local_Norm(step, is_slow)};
    MPIStream_ThresholdColl(local_result, &global_result, &stream);
    while (global_result) {
      // Start converging solution
      local_result[0] = ++step;
      local_result[1] = local_Norm(step, is_slow);
      // End converging solution
      MPIStream_ThresholdColl(local_result, &global_result, &stream);
    }
    if (rank == 0) printf("converged after %d steps\n", step);
    MPIStream_Terminate(&stream);
  } else {
    MPIStream_Operate(&stream);
  }
  MPI_Type_free(&contribution);
  MPI_Type_free(&state);
  MPIStream_FreeChannel(&channel);
  MPI_Finalize();
  return 0;
}
