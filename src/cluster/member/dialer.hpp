// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/wire/connection.hpp"
#include "cluster/wire/handshake.hpp"
#include "cluster/wire/meeting.hpp"

#include <asio/awaitable.hpp>
#include <asio/io_context.hpp>

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <string>

namespace weir::cluster {

/// Connects a group to the coordinator and to other groups, for the first time and again. Its
/// functions return at once; what they call is called on the I/O thread, as is `set_limits`.
class dialer {
 public:
  /// Whom to connect to.
  struct target {
    std::string name;
    std::string host;
    std::string port;
    std::string named_host;  ///< as the configuration names it; may be empty
    purpose wants = purpose::link;
  };

  /// Longest time for one attempt.
  static constexpr std::chrono::seconds connect_within{15};
  /// Others may be in the queue before this one, and each may occupy the peer for 5 s: time for two
  /// such rounds and some more.
  static constexpr std::chrono::seconds meet_within{15};

  /// @param name the name of this group
  dialer(asio::io_context& context, std::string name, credentials own);
  dialer(const dialer&) = delete;
  dialer& operator=(const dialer&) = delete;

  void set_limits(const connection_limits& limits) noexcept { limits_ = limits; }

  /// Calls `met` when the other side is connected; or `failed`, also with an exception of `met`.
  /// @param until tries again until then, if nobody answers
  void dial(const target& to, std::chrono::steady_clock::time_point until, std::function<void(met_peer)> met,
            std::function<void(std::exception_ptr)> failed);

  /// Lets `broken` continue over another transport, as soon as the other side can be connected;
  /// tries until the connection is given up.
  void redial(const target& to, std::shared_ptr<connection> broken);

 private:
  asio::awaitable<met_peer> call(target to, terms_for say, std::chrono::milliseconds patience);
  asio::awaitable<void> try_until(target to, std::chrono::steady_clock::time_point until,
                                  std::function<void(met_peer)> met, std::function<void(std::exception_ptr)> failed);
  asio::awaitable<void> try_again(target to, std::shared_ptr<connection> broken);

  asio::io_context& context_;
  const std::string name_;
  const credentials own_;
  connection_limits limits_;
};

}  // namespace weir::cluster
