// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/wire/basic_meeting.hpp"
#include "cluster/wire/tls_stream.hpp"
#include "cluster/wire/tls_transport.hpp"

#include <asio/redirect_error.hpp>
#include <asio/ssl/error.hpp>
#include <openssl/x509v3.h>

#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace weir::cluster {

// A third party with a certificate may stand between two others, with a TLS channel to each. These
// two channels have different bindings.
template <>
channel_binding binding_of(tls_stream& with) {
  constexpr std::string_view label = "EXPORTER-Channel-Binding";
  channel_binding made;
  if (SSL_export_keying_material(with.native_handle(), made.data(), made.size(), label.data(), label.size(), nullptr, 0,
                                 0) != 1) {
    throw handshake_error("TLS has nothing to bind a proof to");
  }
  return made;
}

// Over TLS, only the encrypted connection itself is used.
template <>
asio::awaitable<met_peer> agree_as_server(std::unique_ptr<tls_stream> with, introduction who, const terms& own,
                                          connection_limits limits) {
  offer made = offer_of(own, transport_kind::tcp, limits);
  co_await say_to(*with, made);
  answer got;
  co_await hear_from(*with, got);
  met_peer met;
  met.who = std::move(who);
  met.received = got.received;
  met.limits = limits;
  met.over = tls_transport(std::move(with), limits.frame_bytes);
  co_return met;
}

template <>
asio::awaitable<met_peer> agree_as_client(std::unique_ptr<tls_stream> with, introduction who, const terms& own,
                                          connection_limits limits) {
  offer made;
  co_await hear_from(*with, made);
  answer mine{own.received, 0, {}};
  co_await say_to(*with, mine);
  met_peer met;
  met.who = std::move(who);
  met.received = made.received;
  met.limits = limits_in(made, limits);
  met.over = tls_transport(std::move(with), limits.frame_bytes);
  co_return met;
}

namespace {

// The client checks whom it has reached, as browsers do.
void must_be_for_one_of(const std::vector<std::string>& names, tls_stream& with) {
  const std::unique_ptr<X509, void (*)(X509*)> shown(SSL_get1_peer_certificate(with.native_handle()), X509_free);
  if (names.empty() || shown == nullptr || X509_get_ext_by_NID(shown.get(), NID_subject_alt_name, -1) < 0) return;
  std::string all;
  for (const std::string& each : names) {
    if (X509_check_ip_asc(shown.get(), each.c_str(), 0) == 1 ||
        X509_check_host(shown.get(), each.c_str(), each.size(), X509_CHECK_FLAG_NEVER_CHECK_SUBJECT, nullptr) == 1) {
      return;
    }
    all += (all.empty() ? "" : ", ") + each;
  }
  throw handshake_error("its certificate is for somebody else: its subjectAltName has none of " + all);
}

bool is_of_tls(std::error_code problem) { return problem && problem.category() == asio::error::get_ssl_category(); }

handshake_error of_tls(std::error_code problem, long verified) {
  const std::string why = verified == X509_V_OK ? "" : std::string(": ") + X509_verify_cert_error_string(verified);
  return handshake_error("TLS: " + problem.message() + why);
}

}  // namespace

asio::awaitable<met_peer> meet_over_tls(asio::ip::tcp::socket socket, tls_context& tls, const meeting_side& side,
                                        bool& too_late) {
  auto encrypted = std::make_unique<tls_stream>(std::move(socket), tls);
  const meeting_limit limit(encrypted->next_layer(), side, too_late);
  const auto role = side.is_server ? asio::ssl::stream_base::server : asio::ssl::stream_base::client;
  std::error_code problem;
  co_await encrypted->async_handshake(role, asio::redirect_error(asio::use_awaitable, problem));
  if (is_of_tls(problem)) throw of_tls(problem, SSL_get_verify_result(encrypted->native_handle()));
  if (problem) throw std::system_error(problem);
  must_be_for_one_of(side.names, *encrypted);
  try {
    co_return co_await greet(std::move(encrypted), side);
  } catch (const std::system_error& broken) {
    // The other side has refused our certificate.
    if (!too_late && is_of_tls(broken.code())) throw of_tls(broken.code(), X509_V_OK);
    throw;
  }
}

}  // namespace weir::cluster
