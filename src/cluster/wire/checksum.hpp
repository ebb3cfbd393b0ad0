// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/item/bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace weir::cluster {

/// Returns the checksum of a part of a frame: the lower half of XXH3 in 64 bits, without a seed.
/// The parts into which a payload is cut make no difference.
std::uint32_t checksum_of(std::span<const std::byte> bytes) noexcept;
std::uint32_t checksum_of(const byte_sink& payload) noexcept;

}  // namespace weir::cluster
