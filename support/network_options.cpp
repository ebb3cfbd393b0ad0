// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "support/network_options.hpp"

#include "support/output.hpp"

#include <fmt/format.h>

namespace weir::support {

void add_workers(command& to, std::size_t& workers, const std::string& more_names) {
  to.add("-j,--workers,--threads" + more_names, workers,
         fmt::format("Cores to use, at most {}; by default all", most_workers))
      .whole_number(1, static_cast<long long>(most_workers))
      .shown_as("N");
}

void add_report(command& to, report_options& chosen) {
  to.flag("--table", chosen.table, "Print on standard error what each node of the network did");
  to.add("--report", chosen.file, "Write the same as JSON to a file, for `weir graph --report`").value_name("FILE");
}

void tell(const report_options& chosen, const report& of) {
  if (!chosen.file.empty()) write_file(chosen.file, to_json(of) + "\n");
  if (chosen.table) print_on_standard_error(to_table(of) + bottleneck(of) + "\n");
}

}  // namespace weir::support
