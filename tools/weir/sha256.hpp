// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

/// The SHA-256 of what it is given, piece by piece.
class sha256 {
 public:
  sha256();

  void add(std::string_view bytes);
  /// 64 hexadecimal digits. Then it is at its end.
  std::string digits();

 private:
  struct end {
    void operator()(void* context) const;
  };
  std::unique_ptr<void, end> context_;
};
