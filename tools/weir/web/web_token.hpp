// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// A secret of 128 bits that whoever may see the page knows.
class web_token {
 public:
  /// Takes it from the system's generator of random numbers.
  /// @throws std::runtime_error if there is none
  web_token();

  /// Returns it as 32 hexadecimal digits.
  const std::string& text() const noexcept { return text_; }

  /// Whether the text is the token. Takes a time that does not depend on where they differ.
  bool is(std::string_view given) const noexcept;

 private:
  std::string text_;
};
