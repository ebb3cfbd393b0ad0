// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include "core/run_codec.hpp"
#include "core/streams.hpp"
#include "support/command_line.hpp"
#include "support/environment.hpp"
#include "support/output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace extsort {
namespace {

constexpr std::uint64_t least_memory = std::uint64_t{16} << 20;

constexpr const char* description =
    "Sorts a file that may be far larger than memory into another, stably, on all cores, within a limit of memory.";

constexpr const char* mpi_description =
    "Sorts as extsort does, by MPI and OpenMP, for comparison. Start it by mpirun with two ranks or more.";

constexpr const char* footer = R"(
By default, INPUT has the records that recgen writes: `u64 key | u32 length |
payload`, little-endian, without gaps, sorted by key. Options choose records of
one size, or lines of text. Temporary files have no names; OUTPUT appears only
when it is complete.

Under `weir run`, all groups sort together: each sorts a share of the input and
merges a range of the keys. Files whose names contain {group} are separate for
each group.
)";

constexpr const char* mpi_footer = R"(
Rank 0 reads INPUT and sends it to the other ranks in chunks. They sort the
chunks with -j threads each, merge them, and send the result back. Rank 0 merges
the results into OUTPUT, which is the same as extsort's, byte for byte. Each
rank uses -m of memory, in addition to what its MPI takes, and the directories
of -T on its own host.
)";

constexpr const char* exit_codes = R"(
Exit codes:
  0        success
  1        a file could not be read or written, there is too little room, or a
           record is invalid
  2        wrong usage
  128 + N  ended by signal N
Unless the code is 0, OUTPUT is unchanged, and no file is left in the
directories of -T. Exception: if only the output of --json, --report or --table
could not be written, the code is 1 and OUTPUT is sorted.)";

// "zstd" or "zstd:LEVEL"
std::optional<int> level_of(std::string_view text) {
  constexpr std::string_view name = "zstd";
  if (text == name) return run_compression().level;
  if (!text.starts_with(name) || text[name.size()] != ':') return std::nullopt;
  text.remove_prefix(name.size() + 1);
  int level = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), level);
  if (error != std::errc() || end != text.data() + text.size() || level < 1 || level > run_compression::most_level)
    return std::nullopt;
  return level;
}

}  // namespace

std::variant<sort_options, int> parse(int argc, char** argv, const char* version, sort_program of) {
  const bool is_mpi = of == sort_program::mpi_openmp;
  const char* const name = is_mpi ? "extsort_mpi_openmp" : "extsort";
  sort_options chosen;
  std::vector<std::string> inputs;
  std::string executor = "pool", runs = "chunks", merging = "kway", compression;
  weir::support::command command(is_mpi ? mpi_description : description, name);
  command.footer(std::string(is_mpi ? mpi_footer : footer) + exit_codes);
  command.add("INPUT", inputs, "File to sort; several are sorted as if they were one [standard input, as with -]")
      .value_name("");
  const auto output =
      command
          .add("-o,--output", chosen.output, "File for the result, which may be an INPUT [standard output, as with -]")
          .value_name("FILE");
  command
      .add("-m,--memory", chosen.memory,
           "Limit of memory for the process, at least 16M: bytes, or 100M, 2G and the like")
      .transform(size_of_memory(least_memory), "SIZE")
      .shown_as("SIZE=1G");
  command.add("-S,--buffer-size", chosen.memory, "The same as in sort: a number without a unit is in K")
      .transform(
          [](std::string& text) {
            if (!text.empty() && text.find_first_not_of("0123456789") == std::string::npos) text += 'K';
            return size_of_memory(least_memory)(text);
          },
          "SIZE")
      .shown_as("SIZE");
  weir::support::add_workers(command, chosen.workers, ",--parallel");
  command
      .add("-T,--temporary-directory,--temporary", chosen.temporary,
           "Directory for temporary files; several, each with its own -T, take turns [that of the output; for standard "
           "output $TMPDIR or /tmp]")
      .one_value_each_time()
      .shown_as("DIR");
  if (!is_mpi) {
    command
        .add("--compress", compression,
             fmt::format("Compress temporary files: zstd, or zstd:LEVEL, from 1 (default) to {}",
                         run_compression::most_level))
        .suggests({"zstd"})
        .value_name("HOW");
  }
  const format_options format(command);
  const auto choice = [&](const char* names, std::string& value, std::vector<std::string> among, const char* about) {
    command.add(names, value, about).one_of(std::move(among)).shown_as("NAME=" + value).group("For comparisons");
  };
  if (is_mpi) {
    chosen.engine = "mpi-openmp";
  } else {
    choice("--engine", chosen.engine, {"weir", "openmp", "seq"},
           "Threads that sort: weir, openmp, or seq for one thread; mpi-openmp is a separate program, "
           "extsort_mpi_openmp_openmpi or _mpich");
    choice("--executor", executor, {"pool", "threads"}, "With weir: pool, or threads, one for each node");
    command.flag("--pin", chosen.is_pinned, "With weir: bind threads to cores").group("For comparisons");
    choice("--runs", runs, {"chunks", "snowplow"},
           "How sorted runs are made: chunks, each of which fits into memory, or snowplow, by replacement selection");
  }
  choice("--merge", merging, {"kway", "binary"},
         "How runs are merged: kway, many at once, or binary, in pairs, in more passes");
  command.add("--merge-at-once", chosen.most_at_once, "Merge at most N runs at once [as many as memory allows]")
      .whole_number(2, 1'000'000)
      .value_name("N")
      .group("For comparisons");
  command
      .flag(
          "--no-direct", [&] { chosen.is_direct = false; }, "Read and write through the page cache")
      .group("For comparisons");
  command
      .flag(
          "--no-uring", [&] { chosen.by_uring = false; }, "Read and write by pread and pwrite, not by io_uring")
      .group("For comparisons");
  std::string check = "none";
  if (!is_mpi) {
    const std::string group = "Instead of sorting";
    const auto diagnoses = command
                               .flag(
                                   "-c", [&] { check = "diagnose-first"; },
                                   "Check whether INPUT is sorted. Exit code 0: yes; 1: no, and a line says where; "
                                   "2: an error. Also --check")
                               .group(group);
    command
        .flag(
            "-C", [&] { check = "quiet"; }, "The same without that line; also --check=quiet")
        .excludes(diagnoses)
        .shown_as(" ")
        .group(group);
    command.flag("--check{diagnose-first}", check, "").one_of({"diagnose-first", "quiet", "silent"}).group("");
  }
  command.flag(
      "-s,--stable", [] {}, "Keep records with equal keys in the order of the input: always done");
  if (!is_mpi) {
    command.flag(
        "--verify", chosen.is_verified,
        "Read the output again, from the disk, and publish it only if it is in order and has the records of INPUT");
    weir::support::add_report(command, chosen.tells);
  }
  command.flag("--json", chosen.as_json, "Print the summary as JSON on standard output");
  command.flag("-q,--quiet", chosen.is_quiet, "No summary and no progress on standard error");
  command.version(version);
  if (!is_mpi) command.see_also({"recgen", "recheck", "weir-run", "sort"});
  if (const auto code = command.parse(argc, argv)) return *code;
  const auto wrong = [name](std::string_view what) {
    weir::support::complain(name, what);
    return weir::support::wrong_usage;
  };
  if (std::ranges::count(inputs, "-") > 1) return wrong("standard input can be sorted once only; remove all - but one");
  if (is_mpi && format.header_lines() != 0) return wrong("--header does not work with MPI");
  if (is_mpi && inputs.size() > 1) return wrong("only one INPUT is possible with MPI");
  if (!inputs.empty()) chosen.input = inputs.front();
  if (!inputs.empty()) chosen.inputs_after.assign(inputs.begin() + 1, inputs.end());
  for (const char* const same : {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
    if (chosen.output == same) chosen.output = "-";
  }
  try {
    chosen.format = format.format();
    chosen.is_unique = format.is_unique();
    chosen.header_lines = format.header_lines();
  } catch (const std::invalid_argument& problem) {
    return wrong(problem.what());
  }
  if (!compression.empty()) {
    const auto level = level_of(compression);
    if (!level)
      return wrong(fmt::format("--compress {}: write zstd, or zstd:LEVEL with a level from 1 to {}", compression,
                               run_compression::most_level));
    chosen.compression = *level;
  }
  chosen.on_threads = executor == "threads";
  if (chosen.engine != "weir" && (chosen.is_pinned || chosen.on_threads))
    return wrong("--pin and --executor work with --engine weir only");
  if (chosen.engine != "weir" && (chosen.tells.table || !chosen.tells.file.empty()))
    return wrong("--table and --report work with --engine weir only");
  if (chosen.engine == "seq" && chosen.workers > 1) return wrong("--engine seq has one thread; leave out -j");
  if (runs == "snowplow") chosen.runs = run_method::snowplow;
  if (merging == "binary") chosen.merging = merge_method::binary;
  if (merging == "binary" && chosen.most_at_once > 2)
    return wrong("--merge binary merges two runs at once; leave out --merge-at-once");
  const bool to_standard_output = chosen.output == "-";
  if (to_standard_output && chosen.as_json)
    return wrong("--json and the records both go to standard output; give -o FILE");
  if (to_standard_output && check == "none" && ::isatty(STDOUT_FILENO) == 1 && !is_of_lines(chosen.format))
    return wrong("records that are not lines can't go to a terminal; give -o FILE");
  if (chosen.temporary.empty()) {
    const char* const usual = weir::support::variable("TMPDIR");
    const std::string folder = is_output_stream(chosen.output)
                                   ? usual != nullptr ? usual : "/tmp"
                                   : std::filesystem::path(chosen.output).parent_path().string();
    chosen.temporary.push_back(folder.empty() ? "." : folder);
  }
  if (check != "none") chosen.checks = check == "diagnose-first" ? check_kind::diagnose : check_kind::quiet;
  if (chosen.checks != check_kind::none && inputs.size() > 1)
    return wrong(fmt::format("-c checks one INPUT, not {}", inputs.size()));
  if (chosen.checks != check_kind::none && output.is_given())
    return wrong("-c checks INPUT and has no output; leave out -o");
  return chosen;
}

}  // namespace extsort
