// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "chunk.hpp"

#include <any>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <utility>
#include <vector>

namespace weir {
struct report;
}

namespace extsort {

/// A stream of chunks, and of what workers make of them. Memory circulates: `read` fills free
/// memory with a chunk; once `work` has processed the chunk, the memory is free again. Results go
/// to `collect`.
template <class Made>
struct chunk_stream {
  std::size_t workers = 1;  ///< that process chunks at the same time
  /// Whether chunks come from a disk, or what is made of them goes there. Then reading has a thread
  /// of its own beside those of the workers. For files in memory, reading is work like any other.
  bool waits = true;
  std::vector<std::span<std::byte>> memory;  ///< a part for each of `engine::chunks(workers, waits)`
  /// Reads the next chunk; none: there are no more, and it is not called again. Called by one
  /// thread at a time.
  std::function<std::optional<chunk>(std::span<std::byte> free)> read;
  /// Processes a chunk as that worker. No two concurrent calls have the same worker.
  std::function<Made(std::size_t worker, const chunk& of)> work;
  /// Called once for each worker, as that worker, after its last chunk. May be empty.
  std::function<Made(std::size_t worker)> finish = {};
  /// Takes each result of `work` and `finish`; those of one worker in the order in which it made
  /// them. Called by one thread at a time.
  std::function<void(Made made)> collect;
};

/// Runs the loops of a sort: a serial part that reads chunks, and a parallel part that processes
/// them. All sequential code of a sort is the same for every engine (S, section 2).
class engine {
 public:
  virtual ~engine() = default;

  /// Processes all chunks.
  /// @throws the first exception that a function of the stream threw; interrupted
  template <class Made>
  void stream(const chunk_stream<Made>& of) {
    chunk_stream<std::any> untyped{
        .workers = of.workers,
        .waits = of.waits,
        .memory = of.memory,
        .read = of.read,
        .work = [&](std::size_t worker, const chunk& some) { return std::any(of.work(worker, some)); },
        .collect = [&](std::any made) { of.collect(std::any_cast<Made&&>(std::move(made))); }};
    if (of.finish) untyped.finish = [&](std::size_t worker) { return std::any(of.finish(worker)); };
    run_stream(untyped);
  }
  /// Calls `work` for each number below `tasks`, in about that order, with at most `workers`
  /// workers.
  virtual void each(std::size_t tasks, std::size_t workers,
                    const std::function<void(std::size_t worker, std::size_t task)>& work) = 0;

  /// Returns the number of chunks that are in memory at once with that number of workers. While one
  /// of them waits for the disk, the workers process the others.
  virtual std::size_t chunks(std::size_t workers, bool waits) const noexcept = 0;
  virtual std::size_t workers() const noexcept = 0;

 private:
  // Engines do not know the type of results.
  virtual void run_stream(const chunk_stream<std::any>& of) = 0;
};

struct engine_options {
  std::size_t workers = 1;
  bool on_threads = false;  ///< `weir`: one thread for each node instead of the pool
  bool pinned = false;      ///< `weir`: workers stay on their cores
  std::stop_token stop = {};
  std::function<void(const weir::report&)> told = {};  ///< `weir`: called after each run of a network; may be empty
};

/// Thrown after a request to stop.
class interrupted : public std::runtime_error {
 public:
  interrupted() : std::runtime_error("interrupted") {}
};

std::unique_ptr<engine> sequential_engine(std::stop_token stop);
std::unique_ptr<engine> openmp_engine(std::size_t workers, std::stop_token stop);
std::unique_ptr<engine> weir_engine(const engine_options& options);

}  // namespace extsort
