// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "merge_runs.hpp"
#include "sort_file.hpp"
#include "sort_resources.hpp"

#include <cstdint>

namespace extsort {

class peers;
class sort_output;

/// Reads the output on the disk, and checks it. If records were left out, their sum is not known;
/// then only the order and the number of records are checked. By all groups.
/// @param written by this process @param sum of the records of the input
/// @param others null: the process has sorted alone
/// @throws wrong_output
void verify_output(const sort_setup& setup, sort_resources& with, const sort_output& output, const output_part& written,
                   std::uint64_t sum, const peers* others);

}  // namespace extsort
