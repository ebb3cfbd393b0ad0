// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// The address at which the page of `weir top --web` is served.
struct page_address {
  std::string ip = "127.0.0.1";  ///< IPv4 or IPv6, without brackets
  std::uint16_t port = 0;        ///< 0: the system chooses a free one

  /// Whether only this machine reaches the address.
  bool is_loopback() const;
  /// Returns the address as it stands in a URL: the name of this machine if it is all addresses.
  std::string url_host() const;
};

/// Reads `[ADDRESS:]PORT`, where ADDRESS is an IPv4 address, an IPv6 address in brackets, or
/// `localhost`. An empty text is the default.
/// @throws std::invalid_argument with what is wrong
page_address parse_page_address(const std::string& text);

/// Whether the `Host` of a request is one that a foreign domain can't have: an address, `localhost`
/// or the name of this machine, with any port, such as that of a tunnel. A page of another site
/// whose name was made to lead here (DNS rebinding) sends that name.
bool is_own_host(std::string_view host);
