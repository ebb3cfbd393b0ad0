// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include <weir/run/run.hpp>
#include <weir/version.hpp>

#include "core/check_file.hpp"
#include "core/format_options.hpp"
#include "support/command_line.hpp"
#include "support/ending.hpp"
#include "support/network_options.hpp"
#include "support/output.hpp"

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <stdexcept>
#include <string>

namespace {

using namespace extsort;

struct check_options {
  std::string file, input;
  bool of_generated = false;
  std::size_t workers = 0;
  std::uint64_t memory = std::uint64_t{256} << 20;
  std::uint64_t header_lines = 0;
};

// @return the error found; empty: none
std::string wrong_with(const file_contents& found, const check_options& chosen) {
  if (found.first_disorder)
    return fmt::format("the record at byte {} should be before the one in front of it", *found.first_disorder);
  if (chosen.of_generated && found.first_instability)
    return fmt::format("the record at byte {} has the key of the one in front of it, but was before it",
                       *found.first_instability);
  return {};
}

int check(const check_options& chosen, const record_format& format) {
  const auto begin = std::chrono::steady_clock::now();
  const auto by = weir_engine({.workers = chosen.workers != 0 ? chosen.workers : weir::available_cores()});
  const file_contents found = check_file(chosen.file, format, *by, chosen.memory, reading_on::no, chosen.header_lines);
  if (found.workers < chosen.workers)
    weir::support::complain(
        "recheck", fmt::format("-m {} is enough for {} threads, not for {}; more memory lets more work", chosen.memory,
                               found.workers, chosen.workers));
  std::string wrong = wrong_with(found, chosen);
  std::uint64_t bytes = found.bytes;
  if (wrong.empty() && !chosen.input.empty()) {
    const file_contents before =
        check_file(chosen.input, format, *by, chosen.memory, reading_on::yes, chosen.header_lines);
    bytes += before.bytes;
    if (before.records != found.records) {
      wrong = fmt::format("it has {} records, {} has {}", found.records, weir::support::quoted_name(chosen.input),
                          before.records);
    } else if (before.sum != found.sum) {
      wrong = fmt::format("its records are not those of {}", weir::support::quoted_name(chosen.input));
    }
  }
  if (!wrong.empty()) {
    weir::support::complain("recheck", fmt::format("{}: {}", weir::support::quoted_name(chosen.file), wrong));
    return weir::support::failure;
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  weir::support::write_standard_output(
      fmt::format("{} records, {} bytes, sum {:016x}: sorted{}{}; {:.2f} s, {:.2f} GB/s\n", found.records, found.bytes,
                  found.sum, chosen.of_generated ? ", stably" : "", chosen.input.empty() ? "" : ", the same records",
                  seconds, static_cast<double>(bytes) / seconds / 1e9));
  weir::support::finish_standard_output();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  weir::support::occupy_standard_descriptors();
  weir::support::survive_failing_writes();
  check_options chosen;
  weir::support::command command(
      "Checks whether a file is sorted, on all cores; also whether it has the records of another file, and whether "
      "it was sorted stably.",
      "recheck");
  command.footer(
      R"(
A file is sorted if no two neighbouring records are in the wrong order. It has
the records of another file if both have the same number of records, and the
XXH3 checksums of their records have the same sum.

Exit codes:
  0  every check succeeded
  1  a check failed, or a file could not be read
  2  wrong usage)");
  command.add("FILE", chosen.file, "File to check").required().value_name("");
  command.add("--input", chosen.input, "Check that FILE has the records of this file")
      .value_name("INPUT")
      .completed_by(weir::support::offered::files);
  const auto generated = command.flag("--stable", chosen.of_generated,
                                      "Check that records of recgen with equal keys have the order of their numbers");
  weir::support::add_workers(command, chosen.workers);
  command
      .add("-m,--memory", chosen.memory,
           "Memory for records: bytes, or 100M, 2G and the like; with -j 1, a record may take a third of it")
      .transform(size_of_memory(std::uint64_t{1} << 20), "SIZE")
      .shown_as("SIZE=256M");
  const format_options format(command);
  command.version(weir::version);
  command.see_also({"extsort", "recgen"});
  if (const auto code = command.parse(argc, argv)) return *code;
  try {
    const record_format as = format.format();
    chosen.header_lines = format.header_lines();
    if (is_of_lines(as) && generated.is_given()) {
      weir::support::complain("recheck", "--stable works for records of recgen, not for lines");
      return weir::support::wrong_usage;
    }
    return check(chosen, as);
  } catch (const std::invalid_argument& problem) {
    weir::support::complain("recheck", problem.what());
    return weir::support::wrong_usage;
  } catch (const std::exception& error) {
    return weir::support::ended_by(error, "recheck", weir::support::failure);
  }
}
