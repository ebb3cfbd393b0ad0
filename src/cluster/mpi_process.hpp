// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/mpi_functions.hpp"

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

/// This process as one of an MPI job. Its calls of MPI come one at a time, from any thread
/// (MPI_THREAD_SERIALIZED). Any thread.
///
/// A program that has initialised MPI itself may call it between its runs, or finalise it; with
/// less than MPI_THREAD_MULTIPLE nobody else may call it then, and before MPI_Finalize all other
/// threads must have completed their calls (MPI 3.1, §12.4.3; MPICH keeps its lock for ever if one
/// has not). So such a process is *open* only from the beginning of a run to its end.
class mpi_process {
 public:
  /// The rank that whoever started this process gave it; none: it was not started by an MPI.
  static std::optional<int> rank_from_environment();

  /// Whether that is so, or somebody has joined already.
  static bool may_join();

  /// Starts MPI at the first call, unless the program has: all processes of the job call it. Lives
  /// as long as somebody holds it; the last who lets go of it finalises MPI, if weir has started
  /// it.
  /// @throws std::runtime_error
  static std::shared_ptr<mpi_process> join();
  /// That of somebody who has joined; null: nobody has.
  static std::shared_ptr<mpi_process> joined();

  ~mpi_process();
  mpi_process(const mpi_process&) = delete;
  mpi_process& operator=(const mpi_process&) = delete;

  int rank() const noexcept { return start_.rank; }
  int ranks() const noexcept { return start_.ranks; }
  int tag_most() const noexcept { return start_.tag_most; }
  /// What all processes of this job know, and no others.
  std::array<std::uint8_t, 16> job() const noexcept;

  /// A tag under which nobody else in this process receives.
  /// @throws std::runtime_error if there are no more
  int new_tag();

  /// Called when the program finalises MPI itself, and MPI can be used for the last time. One at a
  /// time; empty: nobody.
  void set_before_end(std::function<void()> act);

  /// Something has failed, so that others may not come to MPI_Finalize; nor does this process.
  void abandon() noexcept { abandoned_.store(true, std::memory_order_relaxed); }

  /// A run begins, or ends; after the last of them MPI is the program's, if it is not weir's alone.
  /// Each `close` belongs to an `open`.
  void open();
  void close();
  /// Called, from any thread, when it is open again, until the function is taken back.
  void add_when_open(const void* whose, std::function<void()> act);
  void take_back_when_open(const void* whose);

  struct arrived {
    mpi_handle message;
    std::size_t size;
  };

  /// The right to call MPI, as long as it is held. What it does throws std::runtime_error; the
  /// bytes must stay until the request is done.
  class access {
   public:
    /// Whether there is that right: the process is open, and MPI not over.
    explicit operator bool() const noexcept { return of_ != nullptr; }

    mpi_handle send(std::span<const std::byte> bytes, int to, int tag);
    /// The next message from there, if one has arrived.
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

  /// Nobody waits for that request any more; what it reads or writes is kept until it is done.
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
  std::mutex mutex_;  // over all calls of MPI
  bool over_ = false;
  bool open_ = true;
  int users_ = 0;  // times `open` was called and `close` was not
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
