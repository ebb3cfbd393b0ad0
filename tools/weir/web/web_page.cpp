// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "web/web_page.hpp"

#include "page_files.hpp"

#include <openssl/evp.h>

#include <array>
#include <stdexcept>
#include <string_view>

namespace {

// Returns the source of a Content-Security-Policy (Level 3) for an element with exactly this text.
std::string hash_source(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("there is no SHA-256 to be had from OpenSSL");
  }
  std::array<unsigned char, 4 * (EVP_MAX_MD_SIZE + 2) / 3 + 1> base64{};
  EVP_EncodeBlock(base64.data(), digest.data(), static_cast<int>(size));
  return std::string("'sha256-") + reinterpret_cast<const char*>(base64.data()) + '\'';
}

void insert(std::string& into, std::string_view place, std::string_view text) {
  into.replace(into.find(place), place.size(), text);
}

}  // namespace

web_page make_web_page() {
  web_page made{.html = std::string(page_files::html), .content_security_policy = {}};
  insert(made.html, "/* page.css */", page_files::style);
  insert(made.html, "/* page.js */", page_files::script);
  made.content_security_policy = "default-src 'none'; script-src " + hash_source(page_files::script) + "; style-src " +
                                 hash_source(page_files::style) +
                                 "; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
                                 "frame-ancestors 'none'";
  return made;
}
