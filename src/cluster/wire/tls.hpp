// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/cluster/configuration.hpp"

#include <memory>

// TLS 1.3 by OpenSSL. A build without OpenSSL has tls_without_openssl.cpp in place of the files
// tls_*_with_openssl.cpp.
namespace weir::cluster {

/// Certificates of this process, loaded. Files that are compiled with OpenSSL only know more: see
/// tls_stream.hpp.
class tls_context;

/// Loads the certificates, for use on both sides of connections; null if TLS is not set.
/// @throws graph_error that names the file, or says that this build has no OpenSSL
std::shared_ptr<tls_context> load_tls(const tls_configuration& files);

}  // namespace weir::cluster
