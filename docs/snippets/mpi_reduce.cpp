// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// needs: mpi

// A sum to which each rank contributes, and which all ranks get: by MPI. mpi_across_groups.cpp is
// the same by weir.

#include <mpi.h>

#include <iostream>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  const long count = 1'000'000;
  long own = 0;
  for (long i = rank; i < count; i += size) own += i * i % 7;
  long all = 0;
  MPI_Allreduce(&own, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);

  if (rank == 0) std::cout << all << '\n';
  MPI_Finalize();
}
