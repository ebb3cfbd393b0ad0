// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "io/decoder.hpp"
#include "io/encoder.hpp"

#include <algorithm>
#include <array>

namespace weir::io {
namespace {

constexpr std::array gzip_magic{std::byte{0x1f}, std::byte{0x8b}};
constexpr std::array zstd_magic{std::byte{0x28}, std::byte{0xb5}, std::byte{0x2f}, std::byte{0xfd}};
// A skippable frame of zstd: its first byte is 0x50 to 0x5f.
constexpr std::array skippable_magic{std::byte{0x2a}, std::byte{0x4d}, std::byte{0x18}};

bool begins(std::span<const std::byte> bytes, std::span<const std::byte> magic) {
  return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin());
}

}  // namespace

std::unique_ptr<decoder> decoder_for(std::span<const std::byte> first) {
  if (begins(first, gzip_magic)) return gzip_decoder();
  const bool skippable = !first.empty() && (first[0] & std::byte{0xf0}) == std::byte{0x50};
  if (begins(first, zstd_magic) || (skippable && begins(first.subspan(1), skippable_magic))) return zstd_decoder();
  return nullptr;
}

std::unique_ptr<encoder> encoder_for(compression how, int level) {
  switch (how) {
    case compression::none: break;
    case compression::gzip: return gzip_encoder(level);
    case compression::zstd: return zstd_encoder(level);
  }
  return nullptr;
}

}  // namespace weir::io
