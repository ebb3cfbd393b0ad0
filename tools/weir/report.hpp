// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/graph/dot.hpp"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <string>

/// A file that holds what `weir::to_json(report)` wrote, or `weir top --once --json`. All functions
/// throw std::runtime_error that names it.
class report_file {
 public:
  /// @param run which one, where it tells of several
  report_file(std::string name, unsigned long run);
  /// One whose text is known.
  report_file(std::string name, const std::string& text, unsigned long run);

  /// Adds its counters. @throws also if it is the report of another graph
  void add_to(weir::drawing& d) const;

 private:
  std::string name_;
  std::shared_ptr<const nlohmann::json> report_;
};

/// Whether that is all of a JSON text: neither nothing, nor a part of one.
bool is_whole_json(const std::string& text);
