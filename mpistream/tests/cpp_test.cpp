// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Tests of MPIStream's C++ interface and its nodes, on at least two ranks.
#include <weir/mpi/nodes.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

int rank = 0;
int size = 0;
int failures = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "rank %d of %d: not so: %s\n", rank, size, what);
  ++failures;
}

weir::mpi::role last_consumes() {
  return rank == size - 1 ? weir::mpi::role::consumer : weir::mpi::role::producer;
}

struct item {
  int from;
  long number;
};

void elements_of_a_type() {
  weir::mpi::channel channel(last_consumes());
  weir::mpi::stream<item> items(channel);
  expect(channel.producers() == size - 1 && channel.consumers() == 1,
         "the channel knows who is in it");
  if (rank != size - 1) {
    for (long i = 0; i != 10'000; ++i) items.send({rank, i});
    items.terminate();
    try {
      items.send({rank, 0});
      expect(false, "sending behind the end throws");
    } catch (const weir::mpi::error& problem) {
      expect(problem.code() == MPISTREAM_ERR_ENDED, "and says why");
      expect(std::string(problem.what()).find("terminated") != std::string::npos, "in words");
    }
  } else {
    std::vector<long> next(static_cast<std::size_t>(size));
    items.operate([&](const item& each) {
      expect(each.number == next[static_cast<std::size_t>(each.from)]++, "elements come in order");
    });
    for (int i = 0; i != size - 1; ++i)
      expect(next[static_cast<std::size_t>(i)] == 10'000, "all have come");
  }
  channel.close();
}

void a_function_that_throws() {
  weir::mpi::channel channel(last_consumes());
  weir::mpi::stream<int> numbers(channel);
  if (rank != size - 1) {
    for (int i = 0; i != 1000; ++i) numbers.send(i);
    numbers.terminate();
  } else {
    try {
      numbers.operate([](int number) {
        if (number == 500) throw std::runtime_error("half");
      });
      expect(false, "what is thrown comes out");
    } catch (const std::runtime_error& problem) {
      expect(std::string(problem.what()) == "half", "as it was");
    }
  }
  channel.close();
}

// Elements that arrive while another stream is operated, or before this rank has ended its own
// part, are kept.
void streams_beside_each_other() {
  weir::mpi::channel channel(weir::mpi::role::both);
  weir::mpi::stream<long> first(channel);
  weir::mpi::stream<long> second(channel, weir::mpi::selection::round_robin);
  constexpr long count = 20'000;
  for (long i = 0; i != count; ++i) {
    first.send(i);
    second.send(i);
  }
  second.terminate();
  first.terminate();
  long sums[3] = {0, 0, 0};
  first.operate([&](long number) { sums[0] += number; });
  while (second.operate_some([&](long number) { sums[1] += number; })) {
  }
  expect(sums[0] == count * (count - 1) / 2, "the first has all");
  MPI_Allreduce(&sums[1], &sums[2], 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  expect(sums[2] == size * count * (count - 1) / 2, "the second has all");
  channel.close();
}

// Elements that have not been read are lost with the channel, and nothing else is.
void a_stream_that_is_left() {
  weir::mpi::channel channel(last_consumes());
  {
    weir::mpi::stream<item> items(channel);
    for (long i = 0; rank != size - 1 && i != 5000; ++i) items.send({rank, i});
  }
  channel.close();
}

// Networks produce on all ranks but the last, and a network consumes on the last, slowly; there are
// more elements than the messages between the ranks can hold.
void networks_at_both_ends() {
  weir::mpi::channel channel(last_consumes());
  weir::mpi::stream<long> numbers(channel);
  constexpr long count = 20'000;
  if (rank != size - 1) {
    weir::run(weir::source([next = 0L]() mutable -> std::optional<long> {
                if (next == count) return std::nullopt;
                return next++;
              }) |
              weir::mpi::sink(numbers));
  } else {
    std::atomic<long> sum{0};
    weir::run(weir::mpi::source(numbers) | weir::farm([](long number) { return 2 * number; }, 2) |
              weir::sink([&](long number) { sum += number; }));
    expect(sum == (size - 1) * count * (count - 1), "each has come once");
  }
  channel.close();
}

// A network that consumes one stream and produces another, between two ranks without networks.
void a_network_between() {
  if (size < 3) return;
  weir::mpi::channel in(rank < size - 2    ? weir::mpi::role::producer
                        : rank == size - 2 ? weir::mpi::role::consumer
                                           : weir::mpi::role::neither);
  weir::mpi::channel out(rank == size - 2   ? weir::mpi::role::producer
                         : rank == size - 1 ? weir::mpi::role::consumer
                                            : weir::mpi::role::neither);
  weir::mpi::stream<long> before(in);
  weir::mpi::stream<long> after(out);
  constexpr long count = 20'000;
  if (rank < size - 2) {
    for (long i = 0; i != count; ++i) before.send(i);
    before.terminate();
  } else if (rank == size - 2) {
    weir::run(weir::mpi::source(before) | [](long number) { return 3 * number; } |
              weir::mpi::sink(after));
  } else {
    long sum = 0;
    after.operate([&](long number) { sum += number; });
    expect(sum == 3 * (size - 2) * count * (count - 1) / 2, "each has gone through");
  }
  in.close();
  out.close();
}

}  // namespace

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  try {
    elements_of_a_type();
    a_function_that_throws();
    streams_beside_each_other();
    a_stream_that_is_left();
    networks_at_both_ends();
    a_network_between();
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "rank %d of %d: %s\n", rank, size, problem.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  int all = 0;
  MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return all == 0 ? 0 : 1;
}
