// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sort_means.hpp"

#include <vector>

namespace extsort {

/// Sorts the input in chunks, each of which becomes a run; of equal records the one of the earlier
/// run comes first.
/// @throws bad_record, std::system_error, interrupted
std::vector<run> make_runs(sort_means& with);

/// Makes runs by replacement selection, with a separate snowplow for each worker.
/// @throws likewise; record_too_long also for a record that fits with other methods
std::vector<run> make_runs_by_snowplow(sort_means& with);

/// Exchanges records with other groups; the runs are of this group's range.
/// @throws likewise; group_error
std::vector<run> make_runs_together(sort_means& with);

}  // namespace extsort
