// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A program that is an MPI program itself, and runs a network between its own MPI calls. It prints
// the results of its network and of MPI for the same numbers. With the argument `multiple` it also
// uses MPI while the network runs. With `slow` its first rank pauses between two runs, while the
// other ranks wait in the second run.
#include <weir/weir.hpp>

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <optional>
#include <string_view>
#include <thread>

namespace {

long sum_of_network(long count, bool uses_mpi) {
  long sum = 0;
  const auto square = [uses_mpi](long item) {
    // Involves this process only, so that each group may make any number of calls.
    if (uses_mpi && item % 100 == 0) {
      long all = 0;
      MPI_Allreduce(&item, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_SELF);
    }
    return item * item;
  };
  weir::network net = weir::source([next = 0L, count]() mutable -> std::optional<long> {
                        if (next == count) return std::nullopt;
                        return next++;
                      }).named("numbers") |
                      weir::farm(square, 2).named("squares") | weir::sink([&](long item) { sum += item; }).named("sum");
  const weir::report report = weir::run(net);
  return report.in_result_group ? sum : 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view how = argc > 1 ? argv[1] : "";
  const bool multiple = how == "multiple";
  if (multiple) {
    int level = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (level < MPI_THREAD_MULTIPLE) return 77;
  } else {
    MPI_Init(&argc, &argv);
  }
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int code = 0;
  for (const long count : {1000L, 20'000L}) {
    long all = 0;
    try {
      const long own = sum_of_network(count, multiple);
      MPI_Allreduce(&own, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    } catch (const std::exception& problem) {
      std::fprintf(stderr, "own_mpi: %s\n", problem.what());
      return 1;
    }
    if (rank == 0) std::printf("%ld\n", all);
    if (rank == 0 && how == "slow") std::this_thread::sleep_for(std::chrono::seconds(3));
    if (all != (count - 1) * count * (2 * count - 1) / 6) code = 2;
  }
  MPI_Finalize();
  return code;
}
