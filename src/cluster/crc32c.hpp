// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace weir::cluster {

/// Returns the CRC-32C (Castagnoli) of `bytes`, as in RFC 3720, appendix B.4. With `before`,
/// continues the CRC of preceding bytes.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before = 0) noexcept;

/// Computes the same without special instructions of the processor.
std::uint32_t crc32c_portable(std::span<const std::byte> bytes, std::uint32_t before = 0) noexcept;

}  // namespace weir::cluster
