// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/item/buffer.hpp"

#include "weir/item/item_type.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string_view>
#include <utility>

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
  weir::byte_source all(bytes);
  EXPECT_EQ(weir::codec<buffer>::decode(all), item);
  EXPECT_EQ(all.left(), 0U);
  for (std::size_t length = 0; length != bytes.size(); ++length) {
    weir::byte_source some(std::span<const std::byte>(bytes).first(length));
    EXPECT_THROW(weir::codec<buffer>::decode(some), weir::codec_error) << length;
  }
}

}  // namespace
