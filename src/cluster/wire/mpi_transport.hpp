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

class mpi_process;

/// Address at which a process of an MPI job receives.
struct mpi_offer {
  std::uint64_t rank = 0;
  std::uint64_t tag = 0;
  std::array<std::uint8_t, 16> job{};
};

/// One end of a connection through MPI, until the other end is known.
class mpi_end {
 public:
  /// None if this process is not part of an MPI job. @throws std::runtime_error
  static std::optional<mpi_end> make();

  const mpi_offer& offer() const noexcept { return offer_; }
  bool can_reach(const mpi_offer& other) const noexcept;

  /// Makes the transport for frames through MPI: see mpi_transport.cpp.
  /// @param waker a connection between the two processes, used for nothing else; its end is the end
  /// of the transport
  /// @param largest bytes of a frame
  std::shared_ptr<transport> use(const mpi_offer& other, asio::ip::tcp::socket waker, std::size_t largest) &&;

 private:
  std::shared_ptr<mpi_process> process_;
  mpi_offer offer_;
};

}  // namespace weir::cluster
