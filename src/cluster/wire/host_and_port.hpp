// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <asio/ip/tcp.hpp>

#include <cstddef>
#include <string>
#include <utility>

namespace weir::cluster {

/// Returns `host:port`; an IPv6 address is put in brackets.
inline std::string host_and_port(const std::string& host, const std::string& port) {
  return (host.find(':') == std::string::npos ? host : "[" + host + "]") + ":" + port;
}

/// Splits `host:port` into its parts; brackets are optional. The port is empty if there is none.
inline std::pair<std::string, std::string> parts_of(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  std::string host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return {host, colon == std::string::npos ? "" : text.substr(colon + 1)};
}

/// Converts an IPv4-mapped address, as sockets for both kinds have it, to IPv4.
inline asio::ip::tcp::endpoint unmapped(const asio::ip::tcp::endpoint& of) {
  if (!of.address().is_v6() || !of.address().to_v6().is_v4_mapped()) return of;
  return {asio::ip::make_address_v4(asio::ip::v4_mapped, of.address().to_v6()), of.port()};
}

}  // namespace weir::cluster
