// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <asio/ip/tcp.hpp>
#include <sys/types.h>

#include <compare>
#include <optional>
#include <string>

namespace weir::cluster {

/// Whose a connection is, as far as the kernel knows that before anybody has proved anything: the
/// address it comes from, and, on this machine, the user.
struct caller {
  std::string address;
  std::optional<uid_t> user;  ///< nothing: not known, as on other machines

  auto operator<=>(const caller&) const = default;
  bool is_another_user() const;  ///< than that of this process, as far as that is known
};

caller caller_of(const asio::ip::tcp::endpoint& here, const asio::ip::tcp::endpoint& there);

}  // namespace weir::cluster
