// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "top/page_address.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

/// Serves the page and its states over HTTP/1.1, in a thread of its own. The functions may be
/// called by one other thread, and wait for no client.
///
/// Each request must name an own host (`is_own_host`) and carry the token, as `?token=` or as
/// `Authorization: Bearer`. `GET /` is the page. `GET /sample?after=N` is the state after the one
/// with number N, and comes when there is one; 204 after ten seconds without. `GET /metrics` is for
/// Prometheus. At most 64 connections
/// are open. A client without the token loses its connection to one that comes, if there are so
/// many. A client that takes more than five seconds to send a request, or ten to take an answer, is
/// dropped.
class web_server {
 public:
  /// Listens.
  /// @throws std::runtime_error, one line for the user
  explicit web_server(const page_address& at);
  /// Drops all clients.
  ~web_server();
  web_server(const web_server&) = delete;
  web_server& operator=(const web_server&) = delete;

  /// Returns the address of the page, with the token.
  std::string url() const;

  /// Begins to answer.
  void start();

  /// The content that clients get.
  struct state {
    std::uint64_t number = 0;  ///< greater than that of the state before; at least 1
    std::string text;          ///< JSON, for the page
    /// Returns the same as OpenMetrics text. Called in the server's thread when a client asks.
    std::function<std::string()> metrics;
  };

  /// Makes this the state, which clients that wait get now.
  void publish(state now);
  /// Makes this the last state, and ends. Waits up to a second until all clients have it.
  void finish(state now);

 private:
  class service;
  std::unique_ptr<service> service_;
};
