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

/// Runs the loops of a sort: a serial part that starts items, and a parallel part that processes
/// them. All sequential code of a sort is the same for every engine (S, section 2).
class engine {
 public:
  virtual ~engine() = default;

  /// Calls `begin` until there are no more items, and `work` for each item.
  /// @param waits whether items come from a disk or go there: then reading has a thread of its own
  /// beside those of the workers. For files in memory, reading is work like any other
  /// @param workers most workers at a time
  /// @param slots at least `slots(workers, waits)`
  /// @param begin starts the next item, in the memory of that slot, and returns whether there was
  /// one. Called by one thread at a time, with a free slot.
  /// @param work processes the item in that slot, as that worker: no two concurrent calls have the
  /// same worker
  /// @throws the first exception that one of them threw; interrupted
  virtual void stream(std::size_t workers, std::size_t slots, bool waits,
                      const std::function<bool(std::size_t slot)>& begin,
                      const std::function<void(std::size_t worker, std::size_t slot)>& work) = 0;
  /// Calls `work` for each number below `tasks`, in about that order, with at most `workers`
  /// workers.
  virtual void each(std::size_t tasks, std::size_t workers,
                    const std::function<void(std::size_t worker, std::size_t task)>& work) = 0;

  /// Returns the number of slots that `stream` needs with that number of workers. While one item
  /// waits for the disk, the workers process the others.
  virtual std::size_t slots(std::size_t workers, bool waits) const noexcept = 0;
  virtual std::size_t workers() const noexcept = 0;
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
