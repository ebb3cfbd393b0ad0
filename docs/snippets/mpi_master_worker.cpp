// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// needs: mpi

// A master sends numbers to workers, and adds up what they return: by MPI. mpi_farm.cpp is the same
// by weir. docs/from-mpi.md shows both.

#include <mpi.h>

#include <iostream>

namespace {

enum tag { work, result, end };

long steps_of(long n) {
  long steps = 0;
  for (; n != 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return steps;
}

void master(int workers, long count) {
  long next = 1;
  long sum = 0;
  int busy = 0;
  for (int worker = 1; worker <= workers; ++worker) {
    if (next <= count) {
      MPI_Send(&next, 1, MPI_LONG, worker, work, MPI_COMM_WORLD);
      ++next;
      ++busy;
    } else {
      MPI_Send(nullptr, 0, MPI_LONG, worker, end, MPI_COMM_WORLD);
    }
  }
  while (busy != 0) {
    long steps = 0;
    MPI_Status status;
    MPI_Recv(&steps, 1, MPI_LONG, MPI_ANY_SOURCE, result, MPI_COMM_WORLD, &status);
    sum += steps;
    if (next <= count) {
      MPI_Send(&next, 1, MPI_LONG, status.MPI_SOURCE, work, MPI_COMM_WORLD);
      ++next;
    } else {
      MPI_Send(nullptr, 0, MPI_LONG, status.MPI_SOURCE, end, MPI_COMM_WORLD);
      --busy;
    }
  }
  std::cout << sum << " steps\n";
}

void worker() {
  for (;;) {
    long n = 0;
    MPI_Status status;
    MPI_Recv(&n, 1, MPI_LONG, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == end) return;
    const long steps = steps_of(n);
    MPI_Send(&steps, 1, MPI_LONG, 0, result, MPI_COMM_WORLD);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    master(size - 1, 10'000);
  } else {
    worker();
  }
  MPI_Finalize();
}
