// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/detail/cluster/sha256.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <stdexcept>

namespace weir::detail {
namespace {

void must(bool succeed) {
  if (!succeed) throw std::runtime_error("OpenSSL does not compute SHA-256; check its configuration");
}

}  // namespace

struct sha256::state {
  std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context{EVP_MD_CTX_new(), EVP_MD_CTX_free};
};

sha256::sha256() : state_(std::make_unique<state>()) {
  must(state_->context != nullptr && EVP_DigestInit_ex(state_->context.get(), EVP_sha256(), nullptr) == 1);
}
sha256::sha256(sha256&&) noexcept = default;
sha256& sha256::operator=(sha256&&) noexcept = default;
sha256::~sha256() = default;

void sha256::add(std::string_view bytes) {
  must(EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()) == 1);
}

sha256::digest sha256::end() {
  digest made;
  must(EVP_DigestFinal_ex(state_->context.get(), made.data(), nullptr) == 1);
  return made;
}

sha256::digest hmac_sha256(std::string_view key, std::string_view message) {
  sha256::digest made;
  must(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
            reinterpret_cast<const unsigned char*>(message.data()), message.size(), made.data(), nullptr) != nullptr);
  return made;
}

}  // namespace weir::detail
