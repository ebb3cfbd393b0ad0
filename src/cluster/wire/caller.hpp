// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <asio/ip/tcp.hpp>
#include <sys/types.h>

#include <compare>
#include <optional>
#include <string>

namespace weir::cluster {

/// The origin of a connection, as far as the kernel knows it before the peer has proved anything:
/// the address that it comes from, and, on this machine, the user.
struct caller {
  std::string address;
  std::optional<uid_t> user;  ///< nothing: not known, as on other machines

  auto operator<=>(const caller&) const = default;
  bool is_another_user() const;  ///< whether `user` is known and is not the user of this process
};

caller caller_of(const asio::ip::tcp::endpoint& here, const asio::ip::tcp::endpoint& there);

}  // namespace weir::cluster
