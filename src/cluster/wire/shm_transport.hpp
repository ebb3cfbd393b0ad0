// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/wire/transport.hpp"

#include <asio/ip/tcp.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace weir::cluster {

class shm_region;

/// Address of the shared memory that a process offers to another.
struct shm_offer {
  std::uint64_t process = 0;
  std::uint64_t descriptor = 0;
  std::array<std::uint8_t, 16> token{};  ///< content of that memory, to verify that it is the offered one
};

/// Memory that two processes of one user on one machine share, for one connection. It has no name,
/// and is freed when both have ended.
class shm_memory {
 public:
  /// Makes memory to offer. @throws std::system_error
  static shm_memory make();
  /// Opens the offered memory, if possible.
  static std::optional<shm_memory> open(const shm_offer& offer) noexcept;

  shm_memory(shm_memory&&) noexcept;
  shm_memory& operator=(shm_memory&&) noexcept;
  ~shm_memory();

  const shm_offer& offer() const noexcept { return offer_; }

  /// Makes the transport for frames through this memory: see shm_transport.cpp.
  /// @param waker a connection between the two processes, used for nothing else; its end is the end
  /// of the transport
  /// @param largest bytes of a frame
  std::shared_ptr<transport> use(asio::ip::tcp::socket waker, std::size_t largest) &&;

 private:
  shm_memory(std::shared_ptr<shm_region> region, int descriptor, bool made_here, const shm_offer& offer) noexcept;

  std::shared_ptr<shm_region> region_;
  int descriptor_ = -1;
  bool made_here_ = false;
  shm_offer offer_;
};

}  // namespace weir::cluster
