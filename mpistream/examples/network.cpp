// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A simulation with a weir network beside it. Rank 0 simulates, and streams its measurements; the
// last rank filters and averages them with a network on all its cores, and streams alarms back.
// Needs at least two ranks.
#include <weir/mpi/nodes.hpp>

#include <cmath>
#include <cstdio>
#include <optional>

namespace {
struct measurement {
  int step;
  double value;
};
constexpr int steps = 20'000;
}  // namespace

int main(int argc, char** argv) {
  int level = 0;
  int rank = 0;
  int size = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  try {
    const bool analyses = rank == size - 1;
    const auto own = [&](bool produces) {
      return produces ? weir::mpi::role::producer : weir::mpi::role::consumer;
    };
    weir::mpi::channel out(own(!analyses));
    weir::mpi::channel back(own(analyses));
    weir::mpi::stream<measurement> measured(out);
    weir::mpi::stream<int> alarms(back);
    if (analyses) {
      weir::run(weir::mpi::source(measured) |
                weir::farm(
                    [](measurement each) -> std::optional<int> {
                      if (std::abs(each.value) < 0.999) return std::nullopt;
                      return each.step;
                    },
                    2) |
                weir::mpi::sink(alarms));
    } else {
      for (int step = rank; step < steps; step += size - 1)
        measured.send({step, std::sin(step * 0.001)});
      measured.terminate();
      int count = 0;
      alarms.operate([&](int) { ++count; });
      if (rank == 0) std::printf("%s\n", count > 0 ? "there were alarms" : "all was quiet");
    }
    out.close();
    back.close();
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "network: %s\n", problem.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return 0;
}
