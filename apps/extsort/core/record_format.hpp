// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "records.hpp"
#include "text_lines.hpp"

#include <variant>

namespace extsort {

/// The formats that records of an input may have.
using record_format = std::variant<binary_records, fixed_records, text_lines>;

}  // namespace extsort
