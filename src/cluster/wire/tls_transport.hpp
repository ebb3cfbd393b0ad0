// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/wire/tls_stream.hpp"
#include "cluster/wire/transport.hpp"

#include <cstddef>
#include <memory>

namespace weir::cluster {

/// Makes the transport for frames over TLS. The I/O thread encrypts and decrypts. @param largest
/// bytes of a frame
std::shared_ptr<transport> tls_transport(std::unique_ptr<tls_stream> stream, std::size_t largest);

}  // namespace weir::cluster
