// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/wire/mpi_functions.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weir::cluster {

/// This process as a member of an MPI job. It calls MPI from any thread, but one call at a time
/// (MPI_THREAD_SERIALIZED). Any thread.
///
/// A program that has initialised MPI itself may call it between its runs, or finalise it. With
/// less than MPI_THREAD_MULTIPLE no other thread may call MPI then, and before MPI_Finalize all
/// other threads must have completed their calls (MPI 3.1, §12.4.3; MPICH never releases its lock
/// if one has not). So such a process is *open* only from the beginning of a run to its end.
class mpi_process {
 public:
  /// The rank that the launcher gave this process; none: it was not started by an MPI launcher.
  static std::optional<int> rank_from_environment();

  /// Whether an MPI launcher has started this process, or it has joined already.
  static bool may_join();

  /// Starts MPI at the first call, unless the program has done so; all processes of the job call
  /// it. The object lives as long as it is held. The last holder finalises MPI by releasing it, if
  /// weir has started MPI.
  /// @throws std::runtime_error
  static std::shared_ptr<mpi_process> join();
  /// The object of an earlier `join` that is still held; null: there is none.
  static std::shared_ptr<mpi_process> joined();

  ~mpi_process();
  mpi_process(const mpi_process&) = delete;
  mpi_process& operator=(const mpi_process&) = delete;

  int rank() const noexcept { return start_.rank; }
  int ranks() const noexcept { return start_.ranks; }
  int tag_most() const noexcept { return start_.tag_most; }
  /// An identifier that all processes of this job know, and no other process.
  std::array<std::uint8_t, 16> job() const noexcept;

  /// Returns a tag that is used by no other receiver in this process.
  /// @throws std::runtime_error if there are no more
  int new_tag();

  /// Sets the function to call when the program finalises MPI itself, and MPI can be used for the
  /// last time. One at a time; empty: none.
  void set_before_end(std::function<void()> act);

  /// Notes a failure: others may not reach MPI_Finalize, so this process does not call it, either.
  void abandon() noexcept { abandoned_.store(true, std::memory_order_relaxed); }

  /// Called when a run begins, or ends. After the last run, MPI belongs to the program, unless only
  /// weir uses it. Each `close` belongs to an `open`.
  void open();
  void close();
  /// Adds a function to call, from any thread, when the process is open again, until it is taken
  /// back.
  void add_when_open(const void* whose, std::function<void()> act);
  void take_back_when_open(const void* whose);

  struct arrived {
    mpi_handle message;
    std::size_t size;
  };

  /// The right to call MPI, as long as the object is held. Its functions throw std::runtime_error.
  /// The bytes must stay until the request is done.
  class access {
   public:
    /// Whether the right was granted: the process is open, and MPI is not over.
    explicit operator bool() const noexcept { return of_ != nullptr; }

    mpi_handle send(std::span<const std::byte> bytes, int to, int tag);
    /// Returns the next message of that rank, if one has arrived.
    std::optional<arrived> probe(int from, int tag);
    mpi_handle receive(const arrived& what, std::span<std::byte> into);
    bool is_done(mpi_handle& request);

   private:
    friend class mpi_process;
    explicit access(mpi_process& of) : lock_(of.mutex_), of_(of.open_ && !of.over_ ? &of : nullptr) {}

    std::unique_lock<std::mutex> lock_;
    mpi_process* of_;
  };
  access use() { return access(*this); }

  /// Abandons a request. The memory that it reads or writes is kept until it is done.
  void leave_behind(mpi_handle request, std::shared_ptr<const void> keeps) noexcept;

 private:
  mpi_process();
  void check(int error, const char* what) const;
  void forget_done() noexcept;
  static void before_end();

  const mpi_functions* functions_ = nullptr;
  mpi_start start_;
  std::atomic<bool> abandoned_{false};
  std::atomic<int> next_tag_{0};
  std::mutex mutex_;  // guards all calls of MPI
  bool over_ = false;
  bool open_ = true;
  int users_ = 0;  // number of `open` without `close`
  std::mutex openers_mutex_;
  std::map<const void*, std::function<void()>> when_open_;
  struct left {
    mpi_handle request;
    std::shared_ptr<const void> keeps;
  };
  std::vector<left> left_behind_;
  std::mutex end_mutex_;
  std::function<void()> before_end_;
};

}  // namespace weir::cluster
