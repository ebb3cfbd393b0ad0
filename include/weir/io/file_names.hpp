// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace weir {

/// The names of files that are read one after the other: a single name, a list in braces, or a
/// vector. `-` is standard input.
class file_names {
 public:
  // NOLINTBEGIN(google-explicit-constructor): a parameter that takes either
  template <std::convertible_to<std::string> Name>
  file_names(const Name& one) : all_{one} {}
  file_names(std::initializer_list<std::string> all) : all_(all) {}
  file_names(std::vector<std::string> all) noexcept : all_(std::move(all)) {}
  // NOLINTEND(google-explicit-constructor)

  const std::vector<std::string>& all() const noexcept { return all_; }

 private:
  std::vector<std::string> all_;
};

}  // namespace weir
