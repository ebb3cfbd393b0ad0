// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Messages between rank 0 and each other rank, a worker, as numbers of 64 bits and bytes (S,
// section 2.2):
//
//   conversation  = input_size room deal { again deal } end block result
//   input_size    = number, rank 0 to the worker: bytes of the whole input
//   room          = number, to rank 0: bytes for a chunk and a word for each of its records
//   deal          = { size chunk }, to the worker: size is not 0, and chunk has size bytes, whole records
//   again         = number `forget`: all chunks so far are void, others follow
//   end           = number 0
//   block         = number: most bytes that rank 0 takes at once
//   result        = result_head { sample } { bytes }, to rank 0: the records that the worker has sorted, in messages
//                                                        of no more than a block

#include "core/runs.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace extsort {

inline constexpr std::uint64_t forget = std::numeric_limits<std::uint64_t>::max();

struct result_head {
  std::uint64_t size = 0;  ///< bytes
  std::uint64_t records = 0;
  std::uint64_t longest = 0;  ///< bytes of the longest record
  std::uint64_t samples = 0;
};

/// Sends bytes in pieces, since a count of MPI is an int.
template <class Send>
void in_pieces(std::span<const std::byte> bytes, Send&& send) {
  constexpr std::size_t most = std::size_t{1} << 30;
  for (std::size_t at = 0; at != bytes.size(); at += std::min(most, bytes.size() - at))
    send(bytes.subspan(at, std::min(most, bytes.size() - at)));
}

inline void send_bytes(std::span<const std::byte> bytes, int to) {
  in_pieces(bytes, [to](std::span<const std::byte> piece) {
    MPI_Send(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, to, 0, MPI_COMM_WORLD);
  });
}

inline void receive_bytes(std::span<std::byte> into, int from) {
  in_pieces(into, [from](std::span<const std::byte> piece) {
    MPI_Recv(const_cast<std::byte*>(piece.data()), static_cast<int>(piece.size()), MPI_BYTE, from, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  });
}

template <class T>
void send_value(const T& value, int to) {
  send_bytes(std::as_bytes(std::span(&value, 1)), to);
}

template <class T>
T received_value(int from) {
  T made{};
  receive_bytes(std::as_writable_bytes(std::span(&made, 1)), from);
  return made;
}

}  // namespace extsort
