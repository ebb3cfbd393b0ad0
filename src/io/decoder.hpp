// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace weir::io {

/// Decompresses bytes. Errors in the bytes are thrown as std::runtime_error, without the name of
/// the file.
class decoder {
 public:
  struct progress {
    std::size_t taken;
    std::size_t made;
  };

  virtual ~decoder() = default;

  /// Decodes from `from`, which may be empty, into `to`, which must not be empty. Takes or makes at
  /// least one byte unless `from` is empty.
  virtual progress decode(std::span<const std::byte> from, std::span<std::byte> to) = 0;

  /// Declares the end of the bytes. @throws std::runtime_error if bytes are missing
  virtual void end() const = 0;

 protected:
  decoder() = default;
  decoder(const decoder&) = delete;
  decoder& operator=(const decoder&) = delete;
};

/// Number of bytes that identify the compression of a file.
inline constexpr std::size_t magic_bytes = 4;

/// Returns a decoder by the first bytes of the file: for gzip (RFC 1952) or zstd (RFC 8878), each
/// also with several members or frames; null if neither.
std::unique_ptr<decoder> decoder_for(std::span<const std::byte> first);

std::unique_ptr<decoder> gzip_decoder();
std::unique_ptr<decoder> zstd_decoder();

}  // namespace weir::io
