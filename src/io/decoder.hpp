// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace weir::io {

/// Undoes a compression. What is wrong with the bytes is thrown as std::runtime_error, without the
/// name of their file.
class decoder {
 public:
  struct progress {
    std::size_t taken;
    std::size_t made;
  };

  virtual ~decoder() = default;

  /// Decodes from `from`, which may be empty, into `to`, which may not. Takes or makes something
  /// unless `from` is empty.
  virtual progress decode(std::span<const std::byte> from, std::span<std::byte> to) = 0;

  /// No bytes follow. @throws std::runtime_error if some are missing
  virtual void end() const = 0;

 protected:
  decoder() = default;
  decoder(const decoder&) = delete;
  decoder& operator=(const decoder&) = delete;
};

/// How many bytes tell how a file is compressed.
inline constexpr std::size_t magic_bytes = 4;

/// By the first bytes of the file: gzip (RFC 1952), zstd (RFC 8878), each also in several members
/// or frames; null if neither.
std::unique_ptr<decoder> decoder_for(std::span<const std::byte> first);

std::unique_ptr<decoder> gzip_decoder();
std::unique_ptr<decoder> zstd_decoder();

}  // namespace weir::io
