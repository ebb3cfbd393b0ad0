// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The recipe "simulation" with a collective call in each step: all ranks wait for each other, and
// for the analysis.

#include <mpi.h>

#include <cmath>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  constexpr int steps = 2000, window = 500;
  int rank = 0, size = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int last = size - 1;
  std::vector<double> angle(100), speed(100), energies(size), sums(size);
  for (std::size_t i = 0; i != angle.size(); ++i) angle[i] = 0.02 * static_cast<double>(i + 1) + 0.1 * rank;
  for (int step = 0; step != steps; ++step) {
    double energy = 0;
    for (std::size_t i = 0; rank != last && i != angle.size(); ++i) {
      speed[i] -= 0.01 / 2 * std::sin(angle[i]);
      angle[i] += 0.01 * speed[i];
      speed[i] -= 0.01 / 2 * std::sin(angle[i]);
      energy += speed[i] * speed[i] / 2 - std::cos(angle[i]);
    }
    MPI_Gather(&energy, 1, MPI_DOUBLE, energies.data(), 1, MPI_DOUBLE, last, MPI_COMM_WORLD);
    for (int from = 0; rank == last && from != last; ++from) {
      sums[from] += energies[from];
      if ((step + 1) % window != 0) continue;
      std::printf("rank %d, steps %d to %d: %.9f\n", from, step + 1 - window, step + 1, sums[from] / window);
      sums[from] = 0;
    }
  }
  MPI_Finalize();
}
