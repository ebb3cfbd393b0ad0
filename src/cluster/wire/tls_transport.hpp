// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/cluster/configuration.hpp"

#include "cluster/wire/handshake.hpp"
#include "cluster/wire/transport.hpp"

#include <asio/ssl/context.hpp>

#include <cstddef>
#include <memory>

namespace weir::cluster {

/// Makes a context for TLS 1.3, with certificates on both sides; null if TLS is not set.
/// @throws graph_error that names the file
std::shared_ptr<asio::ssl::context> tls_context(const tls_configuration& files);

/// Makes the transport for frames over TLS. The I/O thread encrypts and decrypts. @param largest
/// bytes of a frame
std::shared_ptr<transport> tls_transport(std::unique_ptr<tls_stream> stream, std::size_t largest);

}  // namespace weir::cluster
