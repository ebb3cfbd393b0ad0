// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "dealer.hpp"

namespace extsort {

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

}  // namespace extsort
