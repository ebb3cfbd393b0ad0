// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/format_options.hpp"
#include "core/sort_file.hpp"
#include "support/network_options.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace extsort {

/// Whether the input is only checked, and whether a line reports the first disorder.
enum class check_kind { none, diagnose, quiet };

/// `extsort [INPUT…] [-o OUTPUT]`
struct sort_options {
  std::string input = "-", output = "-";
  std::vector<std::string> inputs_after;
  record_format format;
  std::uint64_t memory = std::uint64_t{1} << 30;  ///< limit for the whole process, in bytes
  std::size_t workers = 0;                        ///< 0: one for each core
  std::string engine = "weir";
  bool on_threads = false;
  bool is_pinned = false;
  std::vector<std::string> temporary;
  bool is_direct = true;
  bool by_uring = true;
  int compression = 0;  ///< a level of zstd; 0: none
  run_method runs = run_method::chunks;
  merge_method merging = merge_method::k_way;
  std::size_t most_at_once = 0;
  bool is_unique = false;
  bool is_verified = false;
  std::uint64_t header_lines = 0;
  check_kind checks = check_kind::none;
  weir::support::report_options tells;
  bool is_quiet = false;
  bool as_json = false;
};

/// Programs that have these options: extsort, and the one in mpi/, which has only one engine.
enum class sort_program { extsort, mpi_openmp };

/// Parses the command line. @return the options, or the exit code if the program is to end
std::variant<sort_options, int> parse(int argc, char** argv, const char* version,
                                      sort_program of = sort_program::extsort);

}  // namespace extsort
