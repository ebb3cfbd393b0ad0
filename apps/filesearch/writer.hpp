// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "searcher.hpp"

#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace filesearch {

/// The sink. It writes findings to standard output, with those of one file together, and adds up
/// their counts.
class writer {
 public:
  /// @param separator written between the findings of different batches; may be empty
  /// @param sum gets the sum of the counts
  /// @param enough stopped when the first file matches; may be null. `sum` and `enough` must
  /// outlive the run
  writer(std::string separator, outcome& sum, std::stop_source* enough = nullptr)
      : separator_(std::move(separator)), sum_(&sum), enough_(enough) {}

  /// @throws std::system_error if standard output can't be written
  void process(findings found);

 private:
  void write(findings found);

  std::string separator_;
  outcome* sum_;
  std::stop_source* enough_;
  bool written_ = false;
  std::optional<std::size_t> continues_;  // the searcher whose file is not complete
  std::vector<findings> waiting_;
};

}  // namespace filesearch
