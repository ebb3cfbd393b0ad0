// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/transport.hpp"

#include <asio/any_io_executor.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

namespace weir::cluster {

/// The two ends of a way for frames between two groups in one process; each is told on its own
/// executor. Frames change hands, their bytes stay where they are. An end must be ended before its
/// executor goes.
std::pair<std::shared_ptr<transport>, std::shared_ptr<transport>> inproc_transports(asio::any_io_executor one,
                                                                                    asio::any_io_executor other);

using inproc_token = std::array<std::uint8_t, 16>;

/// One end of such a way, for whoever in this process says the token. Any thread.
class inproc_offer {
 public:
  explicit inproc_offer(asio::any_io_executor executor);
  inproc_offer(const inproc_offer&) = delete;
  inproc_offer& operator=(const inproc_offer&) = delete;
  ~inproc_offer();

  const inproc_token& token() const noexcept { return token_; }
  /// The end of whoever offered it; null: nobody has taken the other one.
  std::shared_ptr<transport> taken() const;

 private:
  inproc_token token_;
};

/// The other end; null: nobody in this process offers it.
std::shared_ptr<transport> take_inproc_offer(const inproc_token& token, asio::any_io_executor executor);

}  // namespace weir::cluster
