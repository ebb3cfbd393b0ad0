// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/wire/checksum.hpp"

#include "weir/item/buffer.hpp"
#include "weir/item/bytes.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

using weir::cluster::checksum_of;

std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }

// The lower halves of what `xxhsum -H3` prints.
TEST(checksum, is_half_of_xxh3) {
  EXPECT_EQ(checksum_of(std::span<const std::byte>()), 0x38D394C2U);
  EXPECT_EQ(checksum_of(bytes("123456789")), 0x67A17DFFU);
  EXPECT_EQ(checksum_of(bytes(std::string(1000, 'x'))), 0x962CBA82U);
}

// Parts of 4096 bytes or more are shared with the sink, not copied.
TEST(checksum, does_not_depend_on_the_parts_of_a_payload) {
  std::mt19937 random(1);
  std::vector<std::byte> all(20'000);
  for (std::byte& each : all) each = static_cast<std::byte>(random());
  for (const std::size_t size : {0, 1, 48, 64, 240, 241, 4095, 4096, 12288, 20'000}) {
    const auto some = std::span(all).first(size);
    for (const std::size_t first : {std::size_t{0}, size / 2, size}) {
      weir::byte_sink payload;
      payload.append(some.first(first));
      const std::span<const std::byte> rest = some.subspan(first);
      payload.append(weir::buffer(std::string_view(reinterpret_cast<const char*>(rest.data()), rest.size())));
      EXPECT_EQ(checksum_of(payload), checksum_of(some)) << size << " " << first;
    }
  }
}

}  // namespace
