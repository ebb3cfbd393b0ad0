// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/graph/dot.hpp"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <string>

/// A file written by `weir::to_json(report)` or `weir top --once --json`. All functions throw a
/// std::runtime_error that names the file.
class report_file {
 public:
  /// @param run number of the run, if the file holds several
  report_file(std::string name, unsigned long run);
  /// Takes the text of the file from the caller.
  report_file(std::string name, const std::string& text, unsigned long run);

  /// Adds the counters of the report. @throws also if it is the report of another graph
  void add_to(weir::detail::drawing& d) const;

 private:
  std::string name_;
  std::shared_ptr<const nlohmann::json> report_;
};

/// Whether the text is one complete JSON value: neither empty nor cut off.
bool is_whole_json(const std::string& text);
