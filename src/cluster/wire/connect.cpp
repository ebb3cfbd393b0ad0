// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/wire/connect.hpp"

#include "cluster/wire/deadline.hpp"
#include "graph/private_sockets.hpp"

#include <asio/redirect_error.hpp>
#include <asio/use_awaitable.hpp>

#include <system_error>

namespace weir::cluster {

using tcp = asio::ip::tcp;

asio::awaitable<tcp::socket> connected_socket(asio::any_io_executor executor, std::string host, std::string port,
                                              std::chrono::milliseconds patience) {
  tcp::resolver resolver(executor);
  tcp::socket socket(executor);
  bool too_late = false;
  const deadline until(executor, patience, [&] {
    too_late = true;
    resolver.cancel();
    std::error_code none;
    socket.close(none);
  });
  try {
    const auto found = co_await resolver.async_resolve(host, port, asio::use_awaitable);
    std::error_code problem = asio::error::host_not_found;
    for (const auto& each : found) {
      const tcp::endpoint at = each.endpoint();
      std::error_code none;
      socket.close(none);
      problem = too_late ? asio::error::timed_out : detail::open_private(socket, at.protocol());
      if (!problem) co_await socket.async_connect(at, asio::redirect_error(asio::use_awaitable, problem));
      if (!problem) break;
    }
    if (problem) throw std::system_error(problem);
  } catch (const std::system_error&) {
    if (too_late) throw std::system_error(asio::error::timed_out);
    throw;
  }
  co_return socket;
}

}  // namespace weir::cluster
