// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/channel/atomics.hpp"
#include "weir/export.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>

namespace weir::detail {

// The part of an object_pool that does not depend on its object type: it keeps the unused cells,
// and manages its own lifetime.
//
// Unused cells lie in magazines, about one for each running thread, and in a freelist. A thread
// takes from its magazine and returns to it. Full batches go to the freelist, from which an empty
// magazine is refilled. Therefore a contended lock is taken once for a batch (J. Bonwick and J.
// Adams, Magazines and Vmem, USENIX 2001). A thread that finds no cell in either searches the
// magazines of the other threads.
//
// **Who may call what.** Any thread may call any function. `take` and `close` are for holders of
// the open freelist; `give` is for the holder of a cell.
//
// **Invariants.** A cell is in use by one holder, or linked in one list. A list is read and written
// under the lock of the magazine or freelist to which it belongs. A magazine holds at most two
// batches, the freelist `most_in_freelist_` batches, and together they hold at most `max_kept`
// cells. A thread that holds two locks took the magazine's lock first and the freelist's lock
// second. No lock is held while cells are made or destroyed.
//
// **Lifetime.** Each cell holds a reference, and so does the holder of the open freelist. The
// thread that drops the last reference deletes the freelist. `close` takes all locks in turn, and
// leaves each list closed and empty. A cell that is returned later finds its list closed, and its
// holder destroys it. The holder of a cell unlocks before it drops the cell's reference. Once it
// has put the cell into a list, it touches nothing but the lock that it releases; `close` takes
// this lock before it drops a reference.
class WEIR_API object_freelist {
 public:
  struct cell {
    object_freelist* freelist = nullptr;
    cell* next = nullptr;
    cell* next_batch = nullptr;  // valid in the first cell of a batch
  };

  // @param max_kept at least 1
  explicit object_freelist(std::size_t max_kept);
  object_freelist(const object_freelist&) = delete;
  object_freelist& operator=(const object_freelist&) = delete;

  // Takes a cell that was returned before. @return the cell, now the caller's; null if none was
  // found
  cell* take() noexcept;

  // Makes the new cell, which the caller holds, a cell of this freelist.
  void adopt(cell& made) noexcept;

  // Keeps the cell, or destroys it if the freelist is full.
  void give(cell& back) noexcept;

  // Destroys the cell, which its holder will not return.
  void discard(cell& of) noexcept;

  // Closes the freelist; called once, in place of the destructor. No thread may call `take`
  // afterwards.
  void close() noexcept;

 protected:
  virtual ~object_freelist() = default;
  virtual void destroy(cell& what) noexcept = 0;

 private:
  struct alignas(cache_line) magazine {
    std::mutex mutex;
    cell* cells = nullptr;  // list of up to one batch
    std::size_t count = 0;
    cell* full = nullptr;  // a full batch, or null
    bool closed = false;
  };

  magazine& mine() noexcept;
  cell* take_from(magazine& at) noexcept;
  cell* take_batch() noexcept;
  cell* keep_batch(cell& first) noexcept;
  void discard_all(cell* first) noexcept;
  void drop_reference() noexcept;

  const std::size_t magazine_count_;
  const std::size_t batch_;  // 0: no magazines, and batches of one cell in the freelist
  const std::size_t most_in_freelist_;
  const std::unique_ptr<magazine[]> magazines_;
  std::atomic<std::size_t> references_{1};

  alignas(cache_line) std::mutex mutex_;  // guards the members below
  cell* batches_ = nullptr;
  std::size_t batch_count_ = 0;
  bool closed_ = false;
};

}  // namespace weir::detail
