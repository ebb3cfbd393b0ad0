// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/chunk_reader.hpp"
#include "core/parted_sort.hpp"
#include "core/record_rules.hpp"
#include "core/sort_file.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace extsort {

/// Chunks that are being sent, each in memory that is used again once it has arrived.
class chunks_under_way {
 public:
  explicit chunks_under_way(const std::vector<std::span<std::byte>>& memory);
  /// Waits for all chunks.
  ~chunks_under_way();
  chunks_under_way(const chunks_under_way&) = delete;
  chunks_under_way& operator=(const chunks_under_way&) = delete;

  /// Returns memory for the next chunk: that of the oldest chunk, for which it waits.
  std::span<std::byte> memory();
  /// Sends a chunk in that memory: its size, then its bytes.
  void send(const chunk& made, int to);

 private:
  struct one {
    std::span<std::byte> memory;
    std::uint64_t size = 0;
    std::vector<MPI_Request> requests;
  };
  static void wait_for(one& sent);

  std::vector<one> all_;
  std::size_t next_ = 0;
};

/// Rank 0: reads the input in chunks, deals them to the workers in turn, and receives the sorted
/// records of each worker as a run. Each worker has a share of the input, and gets the chunks of
/// its share in order, so of equal records the one of the lower rank comes first. For one thread.
class dealer final : public run_source {
 public:
  /// @param workers number of ranks after this one
  dealer(const sort_setup& setup, std::size_t workers)
      : rules_(rules_of_input(setup.format)),
        by_uring_(setup.by_uring),
        workers_(workers),
        space_(setup.temporary, workers, setup.direct) {}

  std::vector<run> make(disk_queue& disk, const file& input, std::uint64_t size, arena& memory,
                        sort_summary& summary) override;

 private:
  void send(chunks_under_way& chunks, chunk_reader& from, std::size_t worker);
  bool deal_in_turn(disk_queue& disk, const file& input, std::uint64_t size,
                    const std::vector<std::span<std::byte>>& slices);
  void deal_in_order(disk_queue& disk, const file& input, std::uint64_t size,
                     const std::vector<std::span<std::byte>>& slices);
  std::vector<run> collect(arena& memory, std::size_t block, sort_summary& summary);
  run receive(disk_queue& disk, std::size_t worker, std::span<std::byte> memory, std::size_t block);

  std::unique_ptr<const input_rules> rules_;
  bool by_uring_;
  std::size_t workers_;
  temporary_space space_;
  std::uint64_t sent_ = 0;  // bytes
};

}  // namespace extsort
