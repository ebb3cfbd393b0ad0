// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Items that cereal serializes come back unchanged. Bytes that encode no item are refused, at
// little cost.

#include "weir/item/cereal.hpp"

#include "weir/item/buffer.hpp"
#include "weir/item/bytes.hpp"
#include "weir/item/codec.hpp"

#include "there_and_back.hpp"

#include <cereal/types/array.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/memory.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/polymorphic.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/variant.hpp>
#include <cereal/types/vector.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace cereal_items {

using weir_test::there_and_back;

using byte_vector = std::vector<std::byte>;

byte_vector bytes_in(weir::byte_sink&& sink) {
  const weir::buffer all = std::move(sink).joined();
  return {all.bytes().begin(), all.bytes().end()};
}
template <class T>
byte_vector bytes_of(const T& item) {
  weir::byte_sink sink;
  weir::codec<T>::encode(item, sink);
  return bytes_in(std::move(sink));
}
template <class T>
T decoded(const byte_vector& bytes) {
  weir::byte_source in(bytes);
  return weir::codec<T>::decode(in);
}
template <class T>
void expect_refused(const byte_vector& bytes, const std::string& words) {
  try {
    decoded<T>(bytes);
    ADD_FAILURE() << "was accepted";
  } catch (const weir::codec_error& problem) {
    EXPECT_NE(std::string(problem.what()).find(words), std::string::npos) << problem.what();
  }
}
byte_vector plain(std::initializer_list<int> values) {
  byte_vector bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}
template <class T>
void put(byte_vector& bytes, const T& value) {
  const auto its = std::as_bytes(std::span(&value, 1));
  bytes.insert(bytes.end(), its.begin(), its.end());
}
// Writes a size as cereal encodes sizes that are not small.
void announce(byte_vector& bytes, std::uint64_t size) {
  put(bytes, std::uint8_t{255});
  put(bytes, size);
}

// Largest single allocation, and sum of all allocations.
inline std::size_t largest = 0;
inline std::size_t total = 0;
template <class T>
struct counting {
  using value_type = T;
  counting() = default;
  template <class U>
  counting(const counting<U>&) {}
  T* allocate(std::size_t count) {
    const std::size_t size = count > SIZE_MAX / sizeof(T) ? SIZE_MAX : count * sizeof(T);
    largest = std::max(largest, size);
    total += size;
    if (size > std::size_t{1} << 30) throw std::bad_alloc();
    return std::allocator<T>().allocate(count);
  }
  void deallocate(T* at, std::size_t count) { std::allocator<T>().deallocate(at, count); }
  bool operator==(const counting&) const = default;
};
template <class T>
using counted_vector = std::vector<T, counting<T>>;

struct many {
  std::string name;
  std::map<std::string, std::vector<std::string>> lists;
  std::optional<std::int32_t> maybe;
  std::variant<std::monostate, std::string, double> either;
  std::array<bool, 3> flags{};
  std::vector<bool> bits;
  std::unique_ptr<std::string> owned;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, lists, maybe, either, flags, bits, owned);
  }
};
many example() {
  return {"a name",
          {{"one", {"x", std::string(300, 'y')}}, {"two", {}}},
          7,
          2.5,
          {true, false, true},
          {false, true},
          std::make_unique<std::string>("owned")};
}

TEST(cereal, types_of_all_kinds_come_back) {
  const many back = there_and_back(example());
  EXPECT_EQ(back.name, "a name");
  EXPECT_EQ(back.lists, example().lists);
  EXPECT_EQ(back.maybe, 7);
  EXPECT_EQ(std::get<double>(back.either), 2.5);
  EXPECT_EQ(back.flags, example().flags);
  EXPECT_EQ(back.bits, example().bits);
  EXPECT_EQ(*back.owned, "owned");
}

TEST(cereal, numbers_in_a_row_take_their_own_bytes_and_one_or_nine_for_how_many) {
  EXPECT_EQ(bytes_of(std::vector<double>(100)).size(), 1U + 800U);
  EXPECT_EQ(bytes_of(std::vector<double>(254)).size(), 1U + 254U * 8U);
  EXPECT_EQ(bytes_of(std::vector<double>(255)).size(), 9U + 255U * 8U);
  for (const std::size_t size : {0U, 1U, 254U, 255U, 256U, 100'000U}) {
    std::vector<std::uint16_t> numbers(size);
    for (std::size_t i = 0; i != size; ++i) numbers[i] = static_cast<std::uint16_t>(i);
    EXPECT_EQ(there_and_back(numbers), numbers) << size;
  }
}

TEST(cereal, items_lie_one_behind_the_other) {
  weir::byte_sink sink;
  for (int i = 0; i != 300; ++i)
    weir::codec<std::vector<int>>::encode(std::vector<int>(static_cast<std::size_t>(i), i), sink);
  const byte_vector bytes = bytes_in(std::move(sink));
  weir::byte_source in(bytes);
  for (int i = 0; i != 300; ++i)
    ASSERT_EQ(weir::codec<std::vector<int>>::decode(in), std::vector<int>(static_cast<std::size_t>(i), i));
  EXPECT_EQ(in.left(), 0U);
}

TEST(cereal, every_prefix_is_refused) {
  const byte_vector bytes = bytes_of(example());
  for (std::size_t length = 0; length != bytes.size(); ++length) {
    weir::byte_source in(std::span<const std::byte>(bytes).first(length));
    EXPECT_THROW(weir::codec<many>::decode(in), weir::codec_error) << length;
  }
}

// ---- wrong sizes ----

TEST(cereal, a_size_that_is_not_true_allocates_nothing) {
  for (const std::uint64_t size :
       {std::uint64_t{2000}, std::uint64_t{1} << 28, std::uint64_t{1} << 60, ~std::uint64_t{0}}) {
    byte_vector bytes;
    announce(bytes, size);
    put(bytes, 1.5);
    largest = 0;
    expect_refused<counted_vector<double>>(bytes, "a length in the bytes");
    expect_refused<counted_vector<std::string>>(bytes, "a length in the bytes");
    EXPECT_EQ(largest, 0U) << size;
  }
}

struct tree {
  counted_vector<tree> children;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(children);
  }
};

// Each of 100 levels announces as many children as there are bytes at the end.
TEST(cereal, sizes_within_sizes_do_not_add_up_to_more_than_the_bytes) {
  byte_vector bytes;
  for (int i = 0; i != 100; ++i) announce(bytes, 900);
  bytes.resize(bytes.size() + 900);
  total = 0;
  expect_refused<tree>(bytes, "a length in the bytes");
  EXPECT_LE(total, (bytes.size() + 1024) * sizeof(tree));
}

TEST(cereal, nested_more_deeply_than_the_stack_would_bear_is_refused) {
  byte_vector bytes(1'000'000, std::byte{1});  // one child, which has one child, and so on
  expect_refused<tree>(bytes, "levels");
}

TEST(cereal, what_is_nested_more_deeply_than_can_be_read_is_not_written) {
  tree whole;
  tree* at = &whole;
  for (int i = 0; i != 450; ++i) at = &at->children.emplace_back();
  tree back = there_and_back(whole);
  int depth = 0;
  for (const tree* level = &back; !level->children.empty(); level = &level->children.front()) ++depth;
  EXPECT_EQ(depth, 450);
  for (int i = 0; i != 100; ++i) at = &at->children.emplace_back();
  EXPECT_THROW(bytes_of(whole), weir::codec_error);
}

struct nothing {
  template <class Archive>
  void serialize(Archive&) {}
};

TEST(cereal, elements_without_bytes_are_few) {
  EXPECT_EQ(there_and_back(std::vector<nothing>(1000)).size(), 1000U);
  EXPECT_THROW(bytes_of(std::vector<nothing>(5000)), weir::codec_error);
  byte_vector bytes;
  announce(bytes, std::uint64_t{1} << 40);
  expect_refused<std::vector<nothing>>(bytes, "a length in the bytes");
}

// ---- invalid values ----

TEST(cereal, truth_values_are_true_or_false) {
  expect_refused<std::vector<bool>>(plain({1, 2}), "a truth value");
  struct flags {
    std::string unused;  // without it the item would be sent as raw bytes
    std::array<bool, 3> all{};
    void serialize(weir::cereal_input& archive) { archive(all); }
    void serialize(weir::cereal_output& archive) { archive(all); }
  };
  expect_refused<flags>(plain({1, 0, 2}), "a truth value");
}

struct choosy {
  std::string text;
  template <class Archive>
  void save(Archive& archive) const {
    archive(text);
  }
  template <class Archive>
  void load(Archive& archive) {
    archive(text);
    if (text == "no") throw std::invalid_argument("it says no");
  }
};

TEST(cereal, what_a_type_refuses_itself_is_a_codec_error) {
  EXPECT_EQ(there_and_back(choosy{"yes"}).text, "yes");
  expect_refused<choosy>(bytes_of(choosy{"no"}), "it says no");
}

// ---- pointers ----

struct pointers {
  std::shared_ptr<std::string> a;
  std::shared_ptr<std::string> b;
  std::shared_ptr<std::vector<double>> c;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(a, b, c);
  }
};

TEST(cereal, an_object_that_is_shared_is_sent_once) {
  pointers item{std::make_shared<std::string>("shared"), nullptr, std::make_shared<std::vector<double>>(2, 0.5)};
  item.b = item.a;
  const pointers back = there_and_back(item);
  EXPECT_EQ(*back.a, "shared");
  EXPECT_EQ(back.a, back.b);
  EXPECT_EQ(*back.c, (std::vector<double>{0.5, 0.5}));
}

TEST(cereal, a_pointer_to_an_object_of_another_type_is_refused) {
  pointers item{std::make_shared<std::string>("x"), nullptr, nullptr};
  byte_vector bytes = bytes_of(item);
  const std::uint32_t first = 1;
  std::memcpy(bytes.data() + bytes.size() - sizeof first, &first,
              sizeof first);  // c: a reference to the first object, a string
  expect_refused<pointers>(bytes, "no object of its type");
  const std::uint32_t ninth = 9;
  std::memcpy(bytes.data() + bytes.size() - sizeof ninth, &ninth, sizeof ninth);
  expect_refused<pointers>(bytes, "no object of its type");
}

struct shape {
  virtual ~shape() = default;
  virtual double area() const = 0;
};
struct square : shape {
  double side = 0;
  double area() const override { return side * side; }
  template <class Archive>
  void serialize(Archive& archive, std::uint32_t version) {
    if (version != 3) throw std::runtime_error("another version");
    archive(side);
  }
};
struct unknown : square {};
struct drawing {
  std::vector<std::shared_ptr<shape>> shapes;
  std::unique_ptr<shape> frame;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(shapes, frame);
  }
};
drawing squares() {
  drawing made;
  for (const double side : {1.0, 2.0}) {
    auto one = std::make_shared<square>();
    one->side = side;
    made.shapes.push_back(one);
  }
  made.shapes.push_back(made.shapes.front());
  made.frame = std::make_unique<square>();
  return made;
}

TEST(cereal, objects_of_derived_types_come_back) {
  const drawing back = there_and_back(squares());
  ASSERT_EQ(back.shapes.size(), 3U);
  EXPECT_EQ(back.shapes[1]->area(), 4);
  EXPECT_EQ(back.shapes[2], back.shapes[0]);
  EXPECT_EQ(back.frame->area(), 0);
}

TEST(cereal, types_that_nobody_registered_are_refused_on_both_sides) {
  drawing item = squares();
  item.shapes.push_back(std::make_shared<unknown>());
  EXPECT_THROW(bytes_of(item), weir::codec_error);
  byte_vector bytes = bytes_of(squares());
  const std::string name = "square";
  const auto at = std::search(bytes.begin(), bytes.end(), name.begin(), name.end(),
                              [](std::byte b, char c) { return b == static_cast<std::byte>(c); });
  ASSERT_NE(at, bytes.end());
  *at = std::byte{'S'};
  EXPECT_THROW(decoded<drawing>(bytes), weir::codec_error);
}

}  // namespace cereal_items

CEREAL_CLASS_VERSION(cereal_items::square, 3)
CEREAL_REGISTER_TYPE(cereal_items::square)
CEREAL_REGISTER_POLYMORPHIC_RELATION(cereal_items::shape, cereal_items::square)
