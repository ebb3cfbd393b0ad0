// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "searcher.hpp"

#include <optional>
#include <string>
#include <vector>

namespace filesearch {

/// The sink: writes findings to standard output, those of one file together.
class writer {
 public:
  /// @param separator goes between the findings of different batches; may be empty
  explicit writer(std::string separator) : separator_(std::move(separator)) {}

  /// @throws std::system_error if standard output can't be written
  void process(findings found);

 private:
  void write(findings found);

  std::string separator_;
  bool written_ = false;
  std::optional<std::size_t> continues_;  // the searcher whose file is not complete
  std::vector<findings> waiting_;
};

}  // namespace filesearch
