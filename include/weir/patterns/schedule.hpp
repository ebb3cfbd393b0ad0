// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/run/function_view.hpp"

#include <cstddef>
#include <stop_token>

namespace weir {

/// How the indices of a loop are shared out among the workers.
enum class schedule {
  /// Each worker has a part of its own, and when done takes half of another's rest. Chunks take
  /// some 20 us each.
  automatic,
  fixed,    ///< one contiguous part for each worker; with a grain, chunks of that size dealt in turn
  dynamic,  ///< chunks of `grain` (1), in order, to whoever is free
  guided,   ///< as dynamic; each chunk is the rest divided by twice the workers, at least `grain` (1)
};

struct parallel_options {
  weir::schedule schedule = weir::schedule::automatic;
  /// The fewest indices in a chunk, for loops whose bodies are cheap or want neighbours together; 0
  /// lets weir choose.
  std::size_t grain = 0;
  /// The most workers that take part; 0: all, `concurrency()`.
  std::size_t workers = 0;
  /// When stop is requested, no further chunk is begun, and the call throws `stopped`.
  std::stop_token stop = {};
};

/// Which worker runs a body: below `concurrency()`, and no two that run at a time in one loop have
/// the same.
struct worker_index {
  std::size_t value = 0;
  operator std::size_t() const noexcept { return value; }  // NOLINT(google-explicit-constructor)
};

namespace detail {

// Indices [begin, end) of a loop, for one call.
struct chunk {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t part = 0;    // the part of the loop that runs it: chunks of one part follow each other on one thread
  std::size_t worker = 0;  // see worker_index
};

using chunk_function = function_view<void(const chunk&)>;

// The number of parts that `for_chunks` makes of so many indices.
std::size_t parts_of(std::size_t count, const parallel_options& options) noexcept;

// Calls `run` with chunks that make up [0, count). @throws what `run` throws; stopped
void for_chunks(std::size_t count, const parallel_options& options, chunk_function run);

}  // namespace detail
}  // namespace weir
