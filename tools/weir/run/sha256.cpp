// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/sha256.hpp"

#include <openssl/evp.h>

#include <stdexcept>

namespace {

EVP_MD_CTX* of(const auto& context) { return static_cast<EVP_MD_CTX*>(context.get()); }

void must(int succeed) {
  if (succeed != 1) throw std::runtime_error("SHA-256 is not to be had");
}

}  // namespace

void sha256::end::operator()(void* context) const { EVP_MD_CTX_free(static_cast<EVP_MD_CTX*>(context)); }

sha256::sha256() : context_(EVP_MD_CTX_new()) { must(EVP_DigestInit_ex(of(context_), EVP_sha256(), nullptr)); }

void sha256::add(std::string_view bytes) { must(EVP_DigestUpdate(of(context_), bytes.data(), bytes.size())); }

std::string sha256::digits() {
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  must(EVP_DigestFinal_ex(of(context_), bytes, &size));
  constexpr std::string_view digits = "0123456789abcdef";
  std::string made;
  for (unsigned int i = 0; i != size; ++i) (made += digits[bytes[i] >> 4]) += digits[bytes[i] & 15];
  return made;
}
