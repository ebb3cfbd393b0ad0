// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/wire/frame.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace weir::cluster {

/// Layout of memory that two processes share. shm_transport.cpp says who may touch what, and
/// in which order.
namespace shm {

constexpr std::size_t line = 64;
constexpr std::uint64_t ring_entries = 256;
constexpr unsigned blocks = 64;
constexpr unsigned blocks_for_copies = 8;  // the last ones
// A frame of 60 KiB, and the part of its last item beyond.
constexpr std::size_t block_bytes = std::size_t{72} * 1024;
constexpr std::size_t within_most = 64;

constexpr std::uint64_t bits_for_copies = ~std::uint64_t{0} << (blocks - blocks_for_copies);

struct ring_entry {
  frame_header header;
  std::uint32_t length;  // bytes of this part
  std::uint32_t block;   // its block; `blocks`: in `within`
  std::byte within[within_most];
};

struct direction {
  alignas(line) std::atomic<std::uint64_t> written;
  std::atomic<std::uint32_t> sender_waits;
  alignas(line) std::atomic<std::uint64_t> taken;
  std::atomic<std::uint32_t> receiver_sleeps;
  alignas(line) std::atomic<std::uint64_t> free_blocks;
  alignas(line) ring_entry ring[ring_entries];
  alignas(4096) std::byte block[blocks][block_bytes];
};

struct region_contents {
  std::array<std::uint8_t, 16> token;
  direction directions[2];
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

}  // namespace shm

/// Maps that memory.
class shm_region {
 public:
  /// @throws std::system_error
  explicit shm_region(int descriptor);
  shm_region(const shm_region&) = delete;
  shm_region& operator=(const shm_region&) = delete;
  ~shm_region();

  shm::region_contents* contents = nullptr;
};

}  // namespace weir::cluster
