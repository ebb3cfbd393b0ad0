// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "dealer.hpp"

#include "core/engine.hpp"
#include "core/record_finder.hpp"
#include "core/run_output.hpp"
#include "messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <stdexcept>

namespace extsort {
namespace {

constexpr std::size_t most_block = std::size_t{1} << 20;

int rank_of(std::size_t worker) noexcept { return static_cast<int>(worker) + 1; }

}  // namespace

chunks_under_way::chunks_under_way(const std::vector<std::span<std::byte>>& memory) {
  for (const std::span<std::byte> each : memory) all_.push_back({.memory = each, .requests = {}});
}

chunks_under_way::~chunks_under_way() {
  for (one& each : all_) wait_for(each);
}

void chunks_under_way::wait_for(one& sent) {
  MPI_Waitall(static_cast<int>(sent.requests.size()), sent.requests.data(), MPI_STATUSES_IGNORE);
  sent.requests.clear();
}

std::span<std::byte> chunks_under_way::memory() {
  wait_for(all_[next_]);
  return all_[next_].memory;
}

void chunks_under_way::send(const chunk& made, int to) {
  one& used = all_[next_];
  next_ = (next_ + 1) % all_.size();
  used.size = made.known.bytes;
  const auto begin = [&](std::span<const std::byte> piece) {
    MPI_Isend(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, to, 0, MPI_COMM_WORLD,
              &used.requests.emplace_back());
  };
  begin(std::as_bytes(std::span(&used.size, 1)));
  in_pieces({made.begin, static_cast<std::size_t>(used.size)}, begin);
}

std::vector<run> dealer::make(disk_queue& disk, const file& input, std::uint64_t size, arena& memory,
                              sort_summary& summary) {
  const std::size_t own = memory.left() / (workers_ + 1);
  std::uint64_t room = own;
  for (std::size_t i = 0; i != workers_; ++i) send_value(size, rank_of(i));
  for (std::size_t i = 0; i != workers_; ++i) room = std::min(room, received_value<std::uint64_t>(rank_of(i)));
  room = rounded_down(room);
  const std::size_t block = std::min<std::size_t>(most_block, rounded_down(std::min<std::uint64_t>(own / 4, room / 2)));
  if (room < 2 * page || block < 2 * page)
    throw std::runtime_error(fmt::format("{} workers need more memory; raise -m", workers_));
  const auto slices = memory.take(workers_ + 1, room);
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

void dealer::send(chunks_under_way& chunks, chunk_reader& from, std::size_t worker) {
  const chunk made = from.next(chunks.memory());
  chunks.send(made, rank_of(worker));
  sent_ += made.known.bytes;
}

// @return false: a share does not begin at its guessed place, or a record is bad
bool dealer::deal_in_turn(disk_queue& disk, const file& input, std::uint64_t size,
                          const std::vector<std::span<std::byte>>& slices) {
  std::vector<std::uint64_t> begins;
  record_finder finder(disk, input, *rules_, size, slices.front());
  for (std::size_t i = 0; i != workers_; ++i) {
    const std::uint64_t found = finder.first_from(size / workers_ * i);
    begins.push_back(begins.empty() ? found : std::max(found, begins.back()));
  }
  begins.push_back(size);
  std::vector<chunk_reader> shares;
  for (std::size_t i = 0; i != workers_; ++i) shares.emplace_back(disk, input, *rules_, begins[i], begins[i + 1]);
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
    if (!rules_->guesses() || workers_ == 1) throw;
    return false;
  }
  return true;
}

// Deals the same shares one after the other, so that each begins where the one before ends.
void dealer::deal_in_order(disk_queue& disk, const file& input, std::uint64_t size,
                           const std::vector<std::span<std::byte>>& slices) {
  chunk_reader reader(disk, input, *rules_, 0, size);
  chunks_under_way chunks(slices);
  for (std::size_t i = 0; i != workers_; ++i) {
    const std::uint64_t end = i + 1 == workers_ ? size : size / workers_ * (i + 1);
    while (reader.place() < end) send(chunks, reader, i);
  }
}

// Receives the sorted records of all workers at the same time, with a thread for each (S, section
// 2.2).
std::vector<run> dealer::collect(arena& memory, std::size_t block, sort_summary& summary) {
  memory.reset();
  const auto slices = memory.take(workers_, 3 * block);
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

run dealer::receive(disk_queue& disk, std::size_t worker, std::span<std::byte> memory, std::size_t block) {
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

}  // namespace extsort
