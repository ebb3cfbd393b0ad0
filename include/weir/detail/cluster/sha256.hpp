// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/export.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace weir::detail {

/// SHA-256 (FIPS 180-4) of bytes that are added piece by piece: OpenSSL's, or weir's own in a build
/// without OpenSSL, which takes several times as long. One thread.
class WEIR_API sha256 {
 public:
  using digest = std::array<unsigned char, 32>;

  /// @throws std::runtime_error if OpenSSL is configured not to compute it
  sha256();
  sha256(sha256&&) noexcept;
  sha256& operator=(sha256&&) noexcept;
  ~sha256();

  void add(std::string_view bytes);
  /// Returns the hash. No bytes can be added afterwards.
  digest end();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// Returns HMAC-SHA-256 (RFC 2104). @throws std::runtime_error as `sha256`
WEIR_API sha256::digest hmac_sha256(std::string_view key, std::string_view message);

/// Returns two hexadecimal digits for each byte, in lower case.
WEIR_API std::string hexadecimal(std::span<const unsigned char> bytes);

}  // namespace weir::detail
