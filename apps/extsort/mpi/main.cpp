// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
//
// extsort with MPI and OpenMP as in S, for comparison: rank 0 is a dealer (dealer.hpp), the other
// ranks are workers (worker.hpp), and each rank sorts by sort_file. Exit codes are in
// ../options.cpp.

#include <weir/run/run.hpp>
#include <weir/version.hpp>

#include "core/process_memory.hpp"
#include "core/sort_file.hpp"
#include "dealer.hpp"
#include "options.hpp"
#include "report.hpp"
#include "support/command_line.hpp"
#include "support/ending.hpp"
#include "support/output.hpp"
#include "worker.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <variant>

namespace {

using namespace extsort;

constexpr std::string_view name = "extsort_mpi_openmp";

struct ranks {
  int own = 0;
  int all = 0;
  int of_this_host = 0;
};

ranks ranks_of_world() {
  ranks made;
  MPI_Comm host = MPI_COMM_NULL;
  MPI_Comm_rank(MPI_COMM_WORLD, &made.own);
  MPI_Comm_size(MPI_COMM_WORLD, &made.all);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  MPI_Comm_size(host, &made.of_this_host);
  MPI_Comm_free(&host);
  return made;
}

// Only one rank reports a wrong call, or prints the help.
std::variant<sort_options, int> parse_together(int argc, char** argv, const ranks& among) {
  constexpr int goes_on = -1;
  std::variant<sort_options, int> made = goes_on;
  int code = goes_on;
  if (among.own == 0) {
    made = parse(argc, argv, weir::version, sort_program::mpi_openmp);
    if (const int* const ends = std::get_if<int>(&made)) {
      code = *ends;
    } else if (among.all < 2) {
      weir::support::complain(
          name, "needs two ranks or more, one that reads and writes and others that sort; start it with mpirun -n 3");
      code = weir::support::wrong_usage;
    }
  }
  MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (code != goes_on) return code;
  if (among.own != 0) made = parse(argc, argv, weir::version, sort_program::mpi_openmp);
  return made;
}

// Adds the counts of all ranks to the summary of rank 0.
void add_up(sort_summary& done, const ranks& among) {
  const std::uint64_t passes = done.passes;
  const std::array<std::uint64_t, 4> own{done.bytes_read, done.bytes_written,
                                         static_cast<std::uint64_t>(done.waited.count()),
                                         among.own == 0 ? 0 : done.runs};
  std::array<std::uint64_t, 4> sum{};
  std::uint64_t most = 0;
  const std::uint64_t of_worker = among.own == 0 ? 0 : passes;
  MPI_Reduce(own.data(), sum.data(), static_cast<int>(own.size()), MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&of_worker, &most, 1, MPI_UINT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
  done.bytes_read = sum[0];
  done.bytes_written = sum[1];
  done.waited = std::chrono::nanoseconds(sum[2]);
  done.runs = sum[3];
  done.passes = passes + most;
}

void sort(const sort_options& chosen, const ranks& among, std::size_t taken) {
  const auto begin = std::chrono::steady_clock::now();
  const auto cores = weir::available_cores() / static_cast<std::size_t>(among.of_this_host);
  const std::size_t asked = chosen.workers != 0 ? chosen.workers : std::max<std::size_t>(1, cores);
  const std::size_t workers = workers_within(chosen.memory, taken, asked, 0);
  if (workers < asked && among.own == 0)
    weir::support::complain(name, fmt::format("-m {} is enough for {} threads, not for {}; more memory lets more work",
                                              chosen.memory, workers, asked));
  sort_setup setup{.input = chosen.input,
                   .output = chosen.output,
                   .format = chosen.format,
                   .memory = memory_for_records(chosen.memory, taken, workers),
                   .temporary = chosen.temporary,
                   .direct = chosen.is_direct,
                   .by_uring = chosen.by_uring,
                   .is_unique = chosen.is_unique,
                   .merging = chosen.merging,
                   .most_at_once = chosen.most_at_once};
  const auto by = openmp_engine(workers, {});
  sort_progress progress;
  worker own;
  std::unique_ptr<run_source> others;
  if (among.own == 0) {
    others = std::make_unique<dealer>(setup, static_cast<std::size_t>(among.all - 1));
    setup.runs_from = others.get();
  } else {
    setup.chunks_from = &own;
  }
  sort_summary done = sort_file(setup, *by, progress);
  add_up(done, among);
  if (among.own != 0) return;
  const double seconds = seconds_of(std::chrono::steady_clock::now() - begin);
  if (chosen.as_json) weir::support::write_standard_output(json_of(done, chosen, seconds));
  if (!chosen.is_quiet) weir::support::complain(name, text_of(done, seconds));
}

}  // namespace

int main(int argc, char** argv) {
  weir::support::occupy_standard_descriptors();
  weir::support::survive_failing_writes();
  const std::size_t taken = taken_already();
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  int code = 0;
  try {
    if (provided < MPI_THREAD_MULTIPLE)
      throw std::runtime_error("this MPI does not support MPI_THREAD_MULTIPLE; use another MPI");
    const ranks among = ranks_of_world();
    const auto asked = parse_together(argc, argv, among);
    if (const int* ends = std::get_if<int>(&asked)) {
      code = *ends;
    } else {
      sort(std::get<sort_options>(asked), among, taken);
      weir::support::finish_standard_output();
    }
  } catch (const std::exception& error) {
    weir::support::complain(name, weir::support::cause_of(error));
    MPI_Abort(MPI_COMM_WORLD, weir::support::failure);
  }
  MPI_Finalize();
  return code;
}
