// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <asio/error.hpp>
#include <asio/ip/tcp.hpp>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace weir::detail {

// Functions that make sockets which close when another program is started. Child processes inherit
// the sockets that Asio makes: a port would stay taken, and a connection open, as long as the child
// process runs.

/// Opens a socket or an acceptor.
template <class Socket>
std::error_code open_private(Socket& what, const asio::ip::tcp& protocol) {
  const int made = ::socket(protocol.family(), SOCK_STREAM | SOCK_CLOEXEC, protocol.protocol());
  if (made < 0) return {errno, asio::error::get_system_category()};
  std::error_code problem;
  what.assign(protocol, made, problem);
  if (problem) ::close(made);
  return problem;
}

/// Accepts the next connection into `into`, a closed socket. The acceptor does not block: if there
/// is no connection, the function returns the error that says so.
inline std::error_code accept_private(asio::ip::tcp::acceptor& from, asio::ip::tcp::socket& into) {
  std::error_code problem;
  const asio::ip::tcp protocol = from.local_endpoint(problem).protocol();
  if (problem) return problem;
  const int made = ::accept4(from.native_handle(), nullptr, nullptr, SOCK_CLOEXEC);
  if (made < 0) return {errno, asio::error::get_system_category()};
  into.assign(protocol, made, problem);
  if (problem) ::close(made);
  return problem;
}

}  // namespace weir::detail
