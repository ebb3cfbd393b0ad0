// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/graph/error.hpp"

#include "cluster/wire/tls.hpp"
#include "cluster/wire/tls_stream.hpp"

#include <openssl/bio.h>
#include <openssl/x509.h>

#include <algorithm>
#include <memory>
#include <string>
#include <system_error>

namespace weir::cluster {
namespace {

void must_work(std::error_code problem, const char* what, const std::string& file) {
  if (!problem) return;
  throw graph_error("tls", std::string(what) + " " + file + " can't be used: " + problem.message());
}

// Rejects a certificate that other sides would refuse.
void must_be_valid_now(X509* certificate, const std::string& file) {
  const ASN1_TIME* const begin = X509_get0_notBefore(certificate);
  const ASN1_TIME* const end = X509_get0_notAfter(certificate);
  const bool too_early = X509_cmp_current_time(begin) > 0;
  if (!too_early && X509_cmp_current_time(end) >= 0) return;
  const std::unique_ptr<BIO, int (*)(BIO*)> text(BIO_new(BIO_s_mem()), BIO_free);
  ASN1_TIME_print(text.get(), too_early ? begin : end);
  std::string time(64, '\0');
  time.resize(static_cast<std::size_t>(std::max(BIO_read(text.get(), time.data(), static_cast<int>(time.size())), 0)));
  throw graph_error("tls",
                    "the certificate " + file + (too_early ? " is not valid before " : " has expired on ") + time);
}

}  // namespace

std::shared_ptr<tls_context> load_tls(const tls_configuration& files) {
  if (!files.is_set()) return nullptr;
  auto made = std::make_shared<tls_context>(asio::ssl::context::tlsv13);
  std::error_code problem;
  made->use_certificate_chain_file(files.certificate, problem);
  must_work(problem, "the certificate", files.certificate);
  must_be_valid_now(SSL_CTX_get0_certificate(made->native_handle()), files.certificate);
  made->use_private_key_file(files.key, asio::ssl::context::pem, problem);
  must_work(problem, "the key", files.key);
  made->load_verify_file(files.authorities, problem);
  must_work(problem, "the file of authorities", files.authorities);
  made->set_verify_mode(asio::ssl::verify_peer | asio::ssl::verify_fail_if_no_peer_cert);
  return made;
}

}  // namespace weir::cluster
