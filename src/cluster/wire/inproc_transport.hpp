// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/wire/transport.hpp"

#include <asio/any_io_executor.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

namespace weir::cluster {

/// Makes the two ends of a transport between two groups in one process. Each end is called on its
/// own executor. Frames change owners, and their bytes are not copied. An end must be ended before
/// its executor is destroyed.
std::pair<std::shared_ptr<transport>, std::shared_ptr<transport>> inproc_transports(asio::any_io_executor one,
                                                                                    asio::any_io_executor other);

using inproc_token = std::array<std::uint8_t, 16>;

/// One end of such a transport, offered to the caller in this process that knows the token. Any
/// thread.
class inproc_offer {
 public:
  explicit inproc_offer(asio::any_io_executor executor);
  inproc_offer(const inproc_offer&) = delete;
  inproc_offer& operator=(const inproc_offer&) = delete;
  ~inproc_offer();

  const inproc_token& token() const noexcept { return token_; }
  /// The end of the side that offered it; null: the other end has not been taken.
  std::shared_ptr<transport> taken() const;

 private:
  inproc_token token_;
};

/// Takes the other end; null: the token is not on offer in this process.
std::shared_ptr<transport> take_inproc_offer(const inproc_token& token, asio::any_io_executor executor);

}  // namespace weir::cluster
