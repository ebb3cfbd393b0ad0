// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

/// Computes the SHA-256 of the bytes that are added piece by piece.
class sha256 {
 public:
  sha256();

  void add(std::string_view bytes);
  /// Returns 64 hexadecimal digits. No bytes can be added afterwards.
  std::string digits();

 private:
  struct end {
    void operator()(void* context) const;
  };
  std::unique_ptr<void, end> context_;
};
