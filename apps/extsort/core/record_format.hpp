// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "records.hpp"
#include "text_lines.hpp"

#include <variant>

namespace extsort {

/// The formats that records of an input may have.
using record_format = std::variant<binary_records, fixed_records, text_lines, zero_lines>;

/// Whether the records are lines of text.
inline bool is_of_lines(const record_format& format) noexcept {
  return std::holds_alternative<text_lines>(format) || std::holds_alternative<zero_lines>(format);
}

}  // namespace extsort
