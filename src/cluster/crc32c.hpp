// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace weir::cluster {

/// The CRC-32C (Castagnoli) of `bytes`, as in RFC 3720, appendix B.4; of those behind the ones
/// whose CRC is `before`.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before = 0) noexcept;

/// The same without the processor's own instructions.
std::uint32_t crc32c_portable(std::span<const std::byte> bytes, std::uint32_t before = 0) noexcept;

}  // namespace weir::cluster
