// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include "support/output.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace extsort {

double seconds_of(std::chrono::nanoseconds time) noexcept { return std::chrono::duration<double>(time).count(); }

std::string json_of(const sort_summary& done, const sort_options& chosen, double seconds) {
  const nlohmann::ordered_json made = {{"records", done.records},
                                       {"bytes", done.bytes},
                                       {"runs", done.runs},
                                       {"passes", done.passes},
                                       {"bytes_read", done.bytes_read},
                                       {"bytes_written", done.bytes_written},
                                       {"bytes_sent", done.bytes_sent},
                                       {"seconds", seconds},
                                       {"seconds_making_runs", seconds_of(done.making_runs)},
                                       {"seconds_merging", seconds_of(done.merging)},
                                       {"seconds_waiting_for_the_disk", seconds_of(done.waited)},
                                       {"engine", chosen.engine},
                                       {"threads", done.workers},
                                       {"memory", chosen.memory}};
  return made.dump(2) + "\n";
}

std::string text_of(const sort_summary& done, double seconds) {
  return fmt::format("{} records, {} bytes: {} run{}, {} pass{}; {:.2f} s, {:.2f} GB/s; waited {:.2f} s for the disk",
                     done.records, done.bytes, done.runs, done.runs == 1 ? "" : "s", done.passes,
                     done.passes == 1 ? "" : "es", seconds, static_cast<double>(done.bytes) / seconds / 1e9,
                     seconds_of(done.waited));
}

void network_reports::add(const weir::report& of) {
  if (asked_.table) tables_ += weir::to_table(of) + weir::bottleneck(of) + "\n";
  if (!longest_ || of.wall > longest_->wall) longest_ = of;
}

void network_reports::tell() const {
  if (!tables_.empty()) weir::support::print_on_standard_error(tables_);
  if (longest_) weir::support::tell({.table = false, .file = asked_.file}, *longest_);
}

}  // namespace extsort
