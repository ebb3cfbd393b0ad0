// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/atomics.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>

namespace weir::detail {

// What an object_pool keeps, whatever its type: cells that are out of use, and how long it lives
// itself.
//
// Cells lie in magazines, one for about each thread that runs, and in a depot. A thread takes from
// its magazine and gives back to it; full batches go to the depot, from where an empty magazine is
// refilled. So a lock that others want is taken once for a batch (J. Bonwick and J. Adams,
// Magazines and Vmem, USENIX 2001). Who finds nothing there looks into the magazines of the others.
//
// **Who may call what.** Any thread anything. `take` and `close` by those who hold it open; `give`
// by whoever has a cell.
//
// **Invariants.** A cell is in use by one holder, or linked in one list; lists are read and written
// under the lock of the magazine or of the depot that they belong to. A magazine holds at most two
// batches, the depot `most_in_depot_` batches, together at most `max_kept` cells. Who holds two
// locks took that of a magazine first, the depot's after it. No lock is held while cells are made
// or destroyed.
//
// **Lifetime.** Each cell holds a reference, and so does whoever holds the depot open; the last one
// to drop his deletes it. `close` passes through all locks, leaving each list closed and empty; a
// cell that comes back later finds that, and is destroyed by its holder. A holder of a cell unlocks
// before he lets the cell go, or has put it into a list, after which he touches nothing but the
// lock that he leaves; `close` has passed through that lock before it drops a reference.
class object_depot {
 public:
  struct cell {
    object_depot* home = nullptr;
    cell* next = nullptr;
    cell* next_batch = nullptr;  // of the first one of a batch
  };

  // @param max_kept at least 1
  explicit object_depot(std::size_t max_kept);
  object_depot(const object_depot&) = delete;
  object_depot& operator=(const object_depot&) = delete;

  // @return a cell that was given back, now the caller's; null if there was none where it looked
  cell* take() noexcept;

  // A new cell, the caller's, belongs here from now on.
  void adopt(cell& made) noexcept;

  // Keeps the cell, or destroys it if there are enough.
  void give(cell& back) noexcept;

  // Destroys the cell, which its holder will not give back.
  void discard(cell& of) noexcept;

  // Once, in place of the destructor: nobody will take from here any more.
  void close() noexcept;

 protected:
  virtual ~object_depot() = default;
  virtual void destroy(cell& what) noexcept = 0;

 private:
  struct alignas(cache_line) magazine {
    std::mutex mutex;
    cell* cells = nullptr;  // up to a batch of them
    std::size_t count = 0;
    cell* full = nullptr;  // a batch, or null
    bool closed = false;
  };

  magazine& mine() noexcept;
  cell* take_from(magazine& at) noexcept;
  cell* take_batch() noexcept;
  cell* keep_batch(cell& first) noexcept;
  void discard_all(cell* first) noexcept;
  void drop_reference() noexcept;

  const std::size_t magazine_count_;
  const std::size_t batch_;  // 0: no magazines, and batches of one cell in the depot
  const std::size_t most_in_depot_;
  const std::unique_ptr<magazine[]> magazines_;
  std::atomic<std::size_t> references_{1};

  alignas(cache_line) std::mutex mutex_;  // of what follows
  cell* batches_ = nullptr;
  std::size_t batch_count_ = 0;
  bool closed_ = false;
};

}  // namespace weir::detail
