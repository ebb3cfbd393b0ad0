// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <asio/ip/tcp.hpp>
#include <asio/ssl/context.hpp>
#include <asio/ssl/stream.hpp>

// For files that are compiled only with OpenSSL.
namespace weir::cluster {

/// Certificates of this process, loaded.
class tls_context final : public asio::ssl::context {
 public:
  using asio::ssl::context::context;
};

using tls_stream = asio::ssl::stream<asio::ip::tcp::socket>;

}  // namespace weir::cluster
