// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// A simulation whose ranks stream the energy of their pendulums to the last rank, which analyses
// it by a network while they go on. Needs at least two ranks.

#include <weir/mpi/nodes.hpp>
#include <weir/patterns/aggregates.hpp>
#include <weir/patterns/count_window.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <vector>

namespace {

struct measurement {
  int rank, step;
  double energy;
};

constexpr int steps = 2000, window = 500;

// Pendulums of one rank, moved by the leapfrog method.
struct pendulums {
  std::vector<double> angle, speed;

  explicit pendulums(int rank) : angle(100), speed(100) {
    for (std::size_t i = 0; i != angle.size(); ++i) angle[i] = 0.02 * static_cast<double>(i + 1) + 0.1 * rank;
  }
  void step(double by) {
    for (std::size_t i = 0; i != angle.size(); ++i) {
      speed[i] -= by / 2 * std::sin(angle[i]);
      angle[i] += by * speed[i];
      speed[i] -= by / 2 * std::sin(angle[i]);
    }
  }
  double energy() const {
    double sum = 0;
    for (std::size_t i = 0; i != angle.size(); ++i) sum += speed[i] * speed[i] / 2 - std::cos(angle[i]);
    return sum;
  }
};

void simulate(int rank, weir::mpi::stream<measurement>& to) {
  pendulums all(rank);
  for (int step = 0; step != steps; ++step) {
    all.step(0.01);
    to.send({rank, step, all.energy()});
  }
  to.terminate();
}

void analyse(weir::mpi::stream<measurement>& from) {
  const auto means = weir::keyed(&measurement::rank, weir::count_window(window, weir::mean_of(&measurement::energy)));
  weir::network net = weir::mpi::source(from).named("receive") |
                      weir::farm(means).by_key(&measurement::rank).named("average") |
                      weir::sink([](const weir::keyed_window<int, double, std::uint64_t>& w) {
                        std::printf("rank %d, steps %ju to %ju: %.9f\n", w.key, w.begin, w.end, w.value);
                      }).named("print");
  weir::run(net);
}

}  // namespace

int main(int argc, char** argv) {
  int level = 0, rank = 0, size = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  try {
    if (level < MPI_THREAD_SERIALIZED || size < 2) throw std::runtime_error("needs two ranks, and an MPI for threads");
    const bool analyses = rank == size - 1;
    weir::mpi::channel channel(analyses ? weir::mpi::role::consumer : weir::mpi::role::producer);
    weir::mpi::stream<measurement> measured(channel);
    analyses ? analyse(measured) : simulate(rank, measured);
    channel.close();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "simulation: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
}
