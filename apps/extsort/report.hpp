// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sort_file.hpp"
#include "options.hpp"

#include <chrono>
#include <string>

namespace extsort {

double seconds_of(std::chrono::nanoseconds time) noexcept;

/// What `--json` prints.
std::string json_of(const sort_summary& done, const sort_options& chosen, double seconds);
/// What is said without `--quiet`.
std::string text_of(const sort_summary& done, double seconds);

}  // namespace extsort
