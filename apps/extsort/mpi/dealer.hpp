// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine.hpp"
#include "core/parted_sort.hpp"
#include "core/record_finder.hpp"
#include "core/run_output.hpp"
#include "core/sort_file.hpp"
#include "messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

namespace extsort {

/// Chunks that are on their way, each in memory that is used again once it has arrived.
class chunks_under_way {
 public:
  explicit chunks_under_way(const std::vector<std::span<std::byte>>& memory);
  /// Waits for all.
  ~chunks_under_way();
  chunks_under_way(const chunks_under_way&) = delete;
  chunks_under_way& operator=(const chunks_under_way&) = delete;

  /// Memory for the next chunk: that of the first of those under way, which it waits for.
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

/// Rank 0: reads the input in chunks, deals them to the workers in turn, and takes from each what it made of them, as a run. Each worker has a share of the input, and the next chunk that it gets is the next one of this:
/// so of equal records those of the lower rank come first. For one thread.
template <class Format>
class dealer final : public run_source {
 public:
  /// @param workers ranks behind this one
  dealer(const Format& format, const sort_setup& setup, std::size_t workers)
      : format_(format), by_uring_(setup.by_uring), workers_(workers), space_(setup.temporary, workers, setup.direct) {}

  std::vector<run> make(disk_queue& disk, const file& input, std::uint64_t size, arena& memory,
                        sort_summary& summary) override {
    const std::size_t own = memory.left() / (workers_ + 1);
    std::uint64_t room = own;
    for (std::size_t i = 0; i != workers_; ++i) send_value(size, rank_of(i));
    for (std::size_t i = 0; i != workers_; ++i) room = std::min(room, received_value<std::uint64_t>(rank_of(i)));
    room = rounded_down(room);
    const std::size_t block =
        std::min<std::size_t>(most_block, rounded_down(std::min<std::uint64_t>(own / 4, room / 2)));
    if (room < 2 * page || block < 2 * page)
      throw std::runtime_error(fmt::format("{} workers need more memory", workers_));
    std::vector<std::span<std::byte>> slices;
    for (std::size_t i = 0; i != workers_ + 1; ++i) slices.push_back(memory.take(room));
    if (!deal_in_turn(disk, input, size, slices)) {
      for (std::size_t i = 0; i != workers_; ++i) send_value(forget, rank_of(i));
      deal_in_order(disk, input, size, slices);
    }
    for (std::size_t i = 0; i != workers_; ++i) {
      send_value(std::uint64_t{0}, rank_of(i));
      send_value(std::uint64_t{block}, rank_of(i));
    }
    summary.bytes_sent = sent_;
    return collect(memory, block, summary);
  }

 private:
  static constexpr std::size_t most_block = std::size_t{1} << 20;

  static int rank_of(std::size_t worker) noexcept { return static_cast<int>(worker) + 1; }

  void send(chunks_under_way& chunks, chunk_reader<Format>& from, std::size_t worker) {
    const chunk made = from.next(chunks.memory());
    chunks.send(made, rank_of(worker));
    sent_ += made.known.bytes;
  }

  // @return false: a share does not begin where it seemed to, or something is wrong with a record
  bool deal_in_turn(disk_queue& disk, const file& input, std::uint64_t size,
                    const std::vector<std::span<std::byte>>& slices) {
    std::vector<std::uint64_t> begins;
    record_finder<Format> finder(disk, input, format_, size, slices.front());
    for (std::size_t i = 0; i != workers_; ++i) {
      const std::uint64_t found = finder.first_from(size / workers_ * i);
      begins.push_back(begins.empty() ? found : std::max(found, begins.back()));
    }
    begins.push_back(size);
    std::vector<chunk_reader<Format>> shares;
    for (std::size_t i = 0; i != workers_; ++i) shares.emplace_back(disk, input, format_, begins[i], begins[i + 1]);
    chunks_under_way chunks(slices);
    try {
      for (bool is_more = true; is_more;) {
        is_more = false;
        for (std::size_t i = 0; i != workers_; ++i) {
          if (shares[i].is_at_end()) continue;
          is_more = true;
          send(chunks, shares[i], i);
        }
      }
    } catch (const bad_record&) {
      if (!record_finder<Format>::guesses || workers_ == 1) throw;
      return false;
    }
    return true;
  }

  // The same shares, but one after the other, so that each begins where the one before ends.
  void deal_in_order(disk_queue& disk, const file& input, std::uint64_t size,
                     const std::vector<std::span<std::byte>>& slices) {
    chunk_reader<Format> reader(disk, input, format_, 0, size);
    chunks_under_way chunks(slices);
    for (std::size_t i = 0; i != workers_; ++i) {
      const std::uint64_t end = i + 1 == workers_ ? size : size / workers_ * (i + 1);
      while (reader.place() < end) send(chunks, reader, i);
    }
  }

  // What the workers have sorted, at the same time, by a thread for each (S, section 2.2).
  std::vector<run> collect(arena& memory, std::size_t block, sort_summary& summary) {
    memory.reset();
    std::vector<std::span<std::byte>> slices;
    for (std::size_t i = 0; i != workers_; ++i) slices.push_back(memory.take(3 * block));
    std::vector<run> made(workers_);
    std::mutex adding;
    openmp_engine(workers_, {})->each(workers_, workers_, [&](std::size_t, std::size_t worker) {
      disk_queue disk(by_uring_);
      made[worker] = receive(disk, worker, slices[worker], block);
      const std::lock_guard held(adding);
      summary.bytes_sent += made[worker].size;
      summary.bytes_written += disk.bytes_written();
      summary.waited += disk.waited();
    });
    std::erase_if(made, [](const run& each) { return each.size == 0; });
    return made;
  }

  run receive(disk_queue& disk, std::size_t worker, std::span<std::byte> memory, std::size_t block) {
    const auto head = received_value<result_head>(rank_of(worker));
    run made{.size = head.size,
             .records = head.records,
             .longest = head.longest,
             .samples = std::vector<sample>(head.samples),
             .frames = {}};
    receive_bytes(std::as_writable_bytes(std::span(made.samples)), rank_of(worker));
    const std::span<std::byte> arriving = memory.first(block);
    run_output output(disk, space_, worker, std::nullopt, memory.subspan(block, 2 * block));
    record_writer& to = output.begin();
    for (std::uint64_t left = head.size; left != 0;) {
      MPI_Status about;
      int size = 0;
      MPI_Recv(arriving.data(), static_cast<int>(block), MPI_BYTE, rank_of(worker), 0, MPI_COMM_WORLD, &about);
      MPI_Get_count(&about, MPI_BYTE, &size);
      to.add_exactly(arriving.first(static_cast<std::size_t>(size)));
      left -= static_cast<std::uint64_t>(size);
    }
    output.end(made);
    return made;
  }

  Format format_;
  bool by_uring_;
  std::size_t workers_;
  temporary_space space_;
  std::uint64_t sent_ = 0;  // bytes
};

}  // namespace extsort
