// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/wire/checksum.hpp"

// With -Og, g++ can't inline all that the header would demand.
#define XXH_NO_INLINE_HINTS 1
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace weir::cluster {

std::uint32_t checksum_of(std::span<const std::byte> bytes) noexcept {
  return static_cast<std::uint32_t>(XXH3_64bits(bytes.data(), bytes.size()));
}

std::uint32_t checksum_of(const byte_sink& payload) noexcept {
  if (payload.copied() == payload.size()) return checksum_of(payload.memory().bytes().first(payload.size()));
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  payload.for_each_part([&](std::span<const std::byte> part) { XXH3_64bits_update(&state, part.data(), part.size()); });
  return static_cast<std::uint32_t>(XXH3_64bits_digest(&state));
}

}  // namespace weir::cluster
