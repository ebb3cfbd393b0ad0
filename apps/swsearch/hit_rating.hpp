// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search.hpp"
#include "search_network.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace swsearch {

/// How many sequences of the whole database are expected to score as much against the query.
double e_value_of(const search_setup& setup, std::int64_t score, std::size_t query_length, std::size_t subject_length,
                  const database_size& whole);

/// Gives hits whose scores are known what they are compared by.
void rate(std::vector<hit>& hits, const search_setup& setup, const database& subjects, const sequence& query);

/// Leaves out what can't be among the hits to be printed. What is too high is kept.
void leave_out(std::vector<hit>& hits, const search_setup& setup);

}  // namespace swsearch
