// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "io/decoder.hpp"
#include "io/encoder.hpp"

#include <stdexcept>

namespace weir::io {
namespace {

// Fails at the first bytes, so that the error names the file.
class no_gzip final : public decoder {
 public:
  progress decode(std::span<const std::byte>, std::span<std::byte>) override {
    throw std::runtime_error(
        "it is compressed with gzip, and this weir was built without zlib; decompress it with gunzip");
  }
  void end() const override {}
};

}  // namespace

std::unique_ptr<decoder> gzip_decoder() { return std::make_unique<no_gzip>(); }
std::unique_ptr<encoder> gzip_encoder(int) {
  throw std::invalid_argument("this weir was built without zlib; choose no compression, or build it with zlib");
}

}  // namespace weir::io
