// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/item/buffer.hpp"

#include "weir/io/from.hpp"
#include "weir/item/bytes.hpp"
#include "weir/item/codec.hpp"
#include "weir/item/item_type.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using weir::buffer;

TEST(buffer, slices_share_the_bytes_and_keep_them_alive) {
  buffer middle;
  {
    const buffer whole(std::string_view("one two three"));
    middle = whole.slice(4, 3);
    EXPECT_TRUE(middle.shared());
    EXPECT_EQ(static_cast<const void*>(middle.bytes().data()), whole.bytes().data() + 4);
  }
  EXPECT_FALSE(middle.shared());
  EXPECT_EQ(middle.text(), "two");
  EXPECT_EQ(std::move(middle).slice(1, 2).text(), "wo");
}

TEST(buffer, that_was_moved_from_is_empty) {
  buffer from(std::string_view("weir"));
  const buffer to = std::move(from);
  EXPECT_TRUE(from.empty());  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(to.text(), "weir");
}

TEST(buffer, refuses_slices_outside_and_writing_what_is_shared) {
  buffer whole(std::size_t{4});
  whole.writable()[3] = std::byte{'x'};
  EXPECT_THROW(static_cast<void>(whole.slice(5, 0)), std::out_of_range);
  EXPECT_THROW(static_cast<void>(whole.slice(2, 3)), std::out_of_range);
  EXPECT_EQ(whole.slice(3, 1).text(), "x");
  const buffer other = whole;
  EXPECT_THROW(static_cast<void>(whole.writable()), std::logic_error);
}

TEST(buffer, crosses_a_cut_and_refuses_every_prefix) {
  const buffer item(std::string_view("north\0south", 11));
  weir::byte_sink bytes;
  weir::codec<buffer>::encode(item, bytes);
  const buffer encoded = std::move(bytes).joined();
  weir::byte_source all(encoded);
  EXPECT_EQ(weir::codec<buffer>::decode(all), item);
  EXPECT_EQ(all.left(), 0U);
  for (std::size_t length = 0; length != encoded.size(); ++length) {
    weir::byte_source some(encoded.bytes().first(length));
    EXPECT_THROW(weir::codec<buffer>::decode(some), weir::codec_error) << length;
  }
}

// The addresses of the bytes on both sides show whether they were copied.
TEST(buffer, of_many_bytes_crosses_a_cut_without_a_copy) {
  buffer item(1'000'000);
  std::ranges::fill(item.writable(), std::byte{7});
  weir::byte_sink out;
  weir::codec<buffer>::encode(buffer(std::string_view("small")), out);
  weir::codec<buffer>::encode(item, out);
  weir::codec<buffer>::encode(buffer(std::string_view("behind")), out);
  EXPECT_EQ(out.copied(), 3 * sizeof(std::uint64_t) + 5 + 6);
  EXPECT_EQ(out.size(), out.copied() + item.size());
  std::vector<const std::byte*> parts;
  out.for_each_part([&](std::span<const std::byte> part) { parts.push_back(part.data()); });
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[1], item.bytes().data());

  const buffer arrived = std::move(out).joined();
  weir::byte_source in(arrived);
  EXPECT_EQ(weir::codec<buffer>::decode(in).text(), "small");
  const buffer there = weir::codec<buffer>::decode(in);
  EXPECT_EQ(there, item);
  EXPECT_EQ(there.bytes().data(), arrived.bytes().data() + 2 * sizeof(std::uint64_t) + 5);
  EXPECT_EQ(weir::codec<buffer>::decode(in).text(), "behind");
}

TEST(byte_sink, writes_into_the_memory_that_it_was_given_as_long_as_that_has_room) {
  buffer memory(16);
  const std::byte* const first = memory.bytes().data();
  weir::byte_sink out(std::move(memory));
  weir::append(out, std::uint64_t{1});
  weir::append(out, std::uint64_t{2});
  EXPECT_EQ(out.memory().bytes().data(), first);
  weir::append(out, std::uint64_t{3});
  EXPECT_NE(out.memory().bytes().data(), first);
  const buffer all = std::move(out).joined();
  weir::byte_source in(all);
  for (std::uint64_t expected = 1; expected != 4; ++expected) {
    std::uint64_t read = 0;
    in.read(read);
    EXPECT_EQ(read, expected);
  }
}

}  // namespace
