// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/crc32c.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string_view>
#include <vector>

namespace {

using weir::cluster::crc32c;
using weir::cluster::crc32c_portable;

std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }

// RFC 3720, appendix B.4.
TEST(crc32c, is_that_of_the_standard) {
  EXPECT_EQ(crc32c({}), 0U);
  EXPECT_EQ(crc32c(bytes("123456789")), 0xE3069283U);
  EXPECT_EQ(crc32c(std::vector<std::byte>(32, std::byte{0})), 0x8A9136AAU);
  EXPECT_EQ(crc32c(std::vector<std::byte>(32, std::byte{0xFF})), 0x62A8AB43U);
}

TEST(crc32c, is_the_same_with_and_without_the_instruction_and_in_parts) {
  std::mt19937 random(1);
  std::vector<std::byte> all(20'000);
  for (std::byte& each : all) each = static_cast<std::byte>(random());
  for (const std::size_t size : {1, 7, 8, 63, 64, 4095, 6143, 6144, 6145, 12288, 12289, 20'000}) {
    const auto some = std::span(all).first(size);
    EXPECT_EQ(crc32c(some), crc32c_portable(some)) << size;
    const std::size_t part = random() % size;
    EXPECT_EQ(crc32c(some.subspan(part), crc32c(some.first(part))), crc32c(some)) << size;
  }
}

}  // namespace
