// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/graph/error.hpp"

#include "cluster/wire/basic_meeting.hpp"
#include "cluster/wire/tls.hpp"

#include <stdexcept>

namespace weir::cluster {

std::shared_ptr<tls_context> load_tls(const tls_configuration& files) {
  if (!files.is_set()) return nullptr;
  throw graph_error("tls", "this weir was built without OpenSSL; build it with OpenSSL, or configure no \"tls\"");
}

// Never called, because no tls_context exists.
asio::awaitable<met_peer> meet_over_tls(asio::ip::tcp::socket, tls_context&, const meeting_side&, bool&) {
  throw std::logic_error("this weir was built without OpenSSL");
}

}  // namespace weir::cluster
