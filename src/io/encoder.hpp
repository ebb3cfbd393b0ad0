// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/io/write_lines.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace weir::io {

/// Compresses bytes, and appends the result to a vector.
class encoder {
 public:
  virtual ~encoder() = default;

  virtual void encode(std::span<const std::byte> from, std::vector<std::byte>& to) = 0;
  /// Declares the end of the bytes.
  virtual void end(std::vector<std::byte>& to) = 0;

 protected:
  encoder() = default;
  encoder(const encoder&) = delete;
  encoder& operator=(const encoder&) = delete;
};

/// Returns an encoder; null for `compression::none`. @throws std::invalid_argument if there is no
/// such level
std::unique_ptr<encoder> encoder_for(compression how, int level);

std::unique_ptr<encoder> gzip_encoder(int level);
std::unique_ptr<encoder> zstd_encoder(int level);

}  // namespace weir::io
