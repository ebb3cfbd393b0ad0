// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/item/codec.hpp"

#include "weir/item/buffer.hpp"
#include "weir/item/bytes.hpp"
#include "weir/item/cereal.hpp"
#include "weir/item/item_type.hpp"

#include "there_and_back.hpp"

#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace {

struct point {
  int x, y;
  bool operator==(const point&) const = default;
};

struct path {
  std::string name;
  std::vector<double> lengths;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, lengths);
  }
  bool operator==(const path&) const = default;
};

using weir_test::there_and_back;

TEST(codec, sends_trivially_copyable_items_as_they_lie) {
  EXPECT_EQ(there_and_back(point{3, -4}), (point{3, -4}));
  weir::byte_sink bytes;
  weir::item_type_of<point>().codec()->encode(std::make_unique<point>().get(), bytes);
  EXPECT_EQ(bytes.size(), sizeof(point));
}

TEST(codec, of_pairs_is_that_of_their_parts) {
  using item = std::pair<std::string, std::vector<int>>;
  weir::byte_sink bytes;
  weir::codec<item>::encode({"a word", {1, 2, 3}}, bytes);
  weir::codec<std::pair<int, long>>::encode({4, 5}, bytes);
  const weir::buffer encoded = std::move(bytes).joined();
  weir::byte_source in(encoded);
  EXPECT_EQ(weir::codec<item>::decode(in), (item{"a word", {1, 2, 3}}));
  EXPECT_EQ((weir::codec<std::pair<int, long>>::decode(in)), std::pair(4, 5L));
  EXPECT_EQ(in.left(), 0U);
  struct without {
    std::string text;
  };
  EXPECT_FALSE((weir::has_codec<std::pair<int, without>>));
}

TEST(codec, serializes_with_cereal_what_cereal_can) {
  const path item{"north", {1.5, 2.5}};
  EXPECT_EQ(there_and_back(item), item);
  EXPECT_EQ(there_and_back(std::string("weir")), "weir");
}

TEST(codec, refuses_every_prefix_of_an_item) {
  const path item{"north", {1.5, 2.5}};
  weir::byte_sink bytes;
  weir::codec<path>::encode(item, bytes);
  const weir::buffer encoded = std::move(bytes).joined();
  for (std::size_t length = 0; length != encoded.size(); ++length) {
    weir::byte_source in(encoded.bytes().first(length));
    EXPECT_THROW(weir::codec<path>::decode(in), weir::codec_error) << length;
  }
}

TEST(codec, refuses_a_length_that_no_memory_holds) {
  weir::byte_sink bytes;
  weir::codec<std::string>::encode("weir", bytes);
  weir::buffer encoded = std::move(bytes).joined();
  for (std::size_t i = 1; i != 9; ++i)
    encoded.writable()[i] = std::byte{0xFF};  // cereal's size tag, after its byte for endianness
  weir::byte_source in(encoded);
  EXPECT_THROW(weir::codec<std::string>::decode(in), weir::codec_error);
}

TEST(item_type, knows_names_sizes_and_what_can_be_copied) {
  EXPECT_EQ(weir::item_type_of<std::string>().name(), "std::string");
  EXPECT_EQ(weir::item_type_of<long>().size, sizeof(long));
  EXPECT_NE(weir::item_type_of<long>().copy, nullptr);
  EXPECT_EQ(weir::item_type_of<std::unique_ptr<int>>().copy, nullptr);
  EXPECT_EQ(weir::item_type_of<std::unique_ptr<int>>().codec(), nullptr);
  EXPECT_EQ(weir::item_type_of<int*>().codec(), nullptr);  // an address means nothing in another process
  EXPECT_EQ(weir::item_type_of<std::string_view>().codec(), nullptr);
  EXPECT_EQ(weir::item_type_of<std::span<const int>>().codec(), nullptr);
  EXPECT_TRUE(weir::same_item_type(weir::item_type_of<long>(), weir::item_type_of<long>()));
  EXPECT_FALSE(weir::same_item_type(weir::item_type_of<long>(), weir::item_type_of<int>()));
}

}  // namespace
