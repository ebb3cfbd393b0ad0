// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "web/web_token.hpp"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <sys/random.h>

#include <array>
#include <stdexcept>

web_token::web_token() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw std::runtime_error("the system has no random numbers for the token of the page");
  }
  for (const unsigned char byte : bytes) text_ += fmt::format("{:02x}", byte);
}

bool web_token::is(std::string_view given) const noexcept {
  return given.size() == text_.size() && CRYPTO_memcmp(given.data(), text_.data(), text_.size()) == 0;
}
