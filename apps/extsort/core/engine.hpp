// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <stop_token>

namespace weir {
struct report;
}

namespace extsort {

/// What is done in turns, by one at a time, and what is done with the results, by several. All
/// sequential code of a sort is the same for every engine (S, section 2).
class engine {
 public:
  virtual ~engine() = default;

  /// @param waits whether items come from a disk or go there: then reading has a thread beside
  /// those of the workers. Of files in memory it is work like any other
  /// @param workers no more than so many work
  /// @param slots at least `slots(workers, waits)`
  /// @param begin starts the next item, in the memory of that slot, and says whether there was one.
  /// Called by one thread at a time, with a slot that nothing is in.
  /// @param work does what is to be done with the item in that slot, as that worker: no two calls
  /// at a time are of the same worker
  /// @throws what one of them threw, the first of them; interrupted
  virtual void stream(std::size_t workers, std::size_t slots, bool waits,
                      const std::function<bool(std::size_t slot)>& begin,
                      const std::function<void(std::size_t worker, std::size_t slot)>& work) = 0;
  /// Calls `work` for each number below `tasks`, in about that order, as no more than so many
  /// workers.
  virtual void each(std::size_t tasks, std::size_t workers,
                    const std::function<void(std::size_t worker, std::size_t task)>& work) = 0;

  /// How many items a run of `stream` with so many workers wants to have slots for. While one waits
  /// for the disk, the workers have the others.
  virtual std::size_t slots(std::size_t workers, bool waits) const noexcept = 0;
  virtual std::size_t workers() const noexcept = 0;
};

struct engine_options {
  std::size_t workers = 1;
  bool on_threads = false;  ///< `weir`: one thread a node instead of the pool
  bool pinned = false;      ///< likewise: workers stay on their cores
  std::stop_token stop = {};
  std::function<void(const weir::report&)> told =
      {};  ///< likewise: called after each network that has run; may be empty
};

/// What is thrown once stop is requested.
class interrupted : public std::runtime_error {
 public:
  interrupted() : std::runtime_error("interrupted") {}
};

std::unique_ptr<engine> sequential_engine(std::stop_token stop);
std::unique_ptr<engine> openmp_engine(std::size_t workers, std::stop_token stop);
std::unique_ptr<engine> weir_engine(const engine_options& options);

}  // namespace extsort
