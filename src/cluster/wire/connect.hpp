// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <asio/any_io_executor.hpp>
#include <asio/awaitable.hpp>
#include <asio/ip/tcp.hpp>

#include <chrono>
#include <string>

namespace weir::cluster {

/// Connects to the first address of the host that answers. The socket is closed on exec.
/// @throws std::system_error; asio::error::timed_out after `patience`
asio::awaitable<asio::ip::tcp::socket> connected_socket(asio::any_io_executor executor, std::string host,
                                                        std::string port, std::chrono::milliseconds patience);

}  // namespace weir::cluster
