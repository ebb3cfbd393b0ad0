// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/run/function_view.hpp"
#include "weir/export.hpp"

#include <cstddef>
#include <stop_token>

namespace weir {

/// How the indices of a loop are distributed among the workers.
enum class schedule {
  /// Each worker has a contiguous part of its own. A worker that has finished its part takes half
  /// of the rest of another worker's part. The chunk size is chosen so that a chunk takes about 20
  /// us.
  automatic,
  fixed,    ///< one contiguous part for each worker; with a grain, chunks of that size, dealt to the workers in turn
  dynamic,  ///< chunks of `grain` (default 1) indices, in order, to whichever worker is free
  guided,   ///< as `dynamic`, but each chunk is the rest divided by twice the workers, at least `grain` (default 1)
};

/// Options of parallel loops, and of the patterns that consist of them.
struct parallel_options {
  weir::schedule schedule = weir::schedule::automatic;
  /// Smallest number of indices in a chunk, for loops whose bodies are cheap or need neighbouring
  /// indices together. 0: weir chooses.
  std::size_t grain = 0;
  /// Largest number of workers that take part. 0: all, `concurrency()`.
  std::size_t workers = 0;
  /// Stops the loop: after a stop request no further chunk begins, and the call throws `stopped`.
  std::stop_token stop = {};
};

/// Index of the worker that runs a body. It is below `concurrency()`, and no two workers that run
/// at the same time in one loop have the same index.
struct worker_index {
  std::size_t value = 0;
  operator std::size_t() const noexcept { return value; }  // NOLINT(google-explicit-constructor)
};

namespace detail {

// The indices [begin, end) of a loop, run in one call.
struct chunk {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t part = 0;    // its part of the loop: the chunks of one part run one after the other on one thread
  std::size_t worker = 0;  // see worker_index
};

using chunk_function = function_view<void(const chunk&)>;

// Returns the number of parts into which `for_chunks` divides `count` indices.
WEIR_API std::size_t parts_of(std::size_t count, const parallel_options& options) noexcept;

// Calls `run` with chunks that together make up [0, count). @throws the exceptions of `run`;
// stopped
WEIR_API void for_chunks(std::size_t count, const parallel_options& options, chunk_function run);

}  // namespace detail
}  // namespace weir
