// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <weir/run/report.hpp>

#include "core/sort_file.hpp"
#include "options.hpp"
#include "support/network_options.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace extsort {

double seconds_of(std::chrono::nanoseconds time) noexcept;

/// Returns the JSON object that `--json` prints.
std::string json_of(const sort_summary& done, const sort_options& chosen, double seconds);
/// Returns the text that is printed without `--quiet`.
std::string text_of(const sort_summary& done, double seconds);

/// Reports of the networks of a sort, which run one after the other.
class network_reports {
 public:
  explicit network_reports(const weir::support::report_options& asked) : asked_(asked) {}

  /// Adds the report of a network that has run.
  void add(const weir::report& of);
  /// Prints the tables of all networks, and writes the report of the one that took longest; does
  /// nothing if there was none.
  /// @throws std::system_error
  void tell() const;

 private:
  const weir::support::report_options& asked_;
  std::string tables_;
  std::optional<weir::report> longest_;
};

}  // namespace extsort
