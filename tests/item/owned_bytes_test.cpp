// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The memory that items own: the types for which it is known, and its size.

#include "weir/detail/item/owned_bytes.hpp"

#include "weir/item/buffer.hpp"
#include "weir/item/item_type.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

template <class T>
constexpr bool known = weir::detail::knows_what_it_owns<T, weir::detail::depth_most>();
template <class T>
std::size_t owned(const T& item) {
  return weir::detail::owned_bytes_of(item);
}

struct frame {
  std::vector<char> pixels;
  friend std::size_t owned_bytes(const frame& f) noexcept { return f.pixels.capacity(); }
};
struct silent {
  std::vector<char> bytes;
};
struct tree : std::vector<tree> {};
struct link {
  std::unique_ptr<link> next;
};
struct first;
struct second : std::vector<first> {};
struct first : std::vector<second> {};
struct base {
  virtual ~base() = default;
};
// A handle that looks like a pointer.
struct closes {
  struct pointer {
    int number = -1;
    pointer(std::nullptr_t = nullptr) {}
    explicit operator bool() const { return number >= 0; }
  };
  void operator()(pointer) const {}
};
// A type whose parts are returned by a member, as structured bindings allow.
struct record {
  std::string text;
  template <std::size_t I>
  const std::string& get() const {
    return text;
  }
};

}  // namespace

template <>
struct std::tuple_size<record> : std::integral_constant<std::size_t, 1> {};
template <>
struct std::tuple_element<0, record> {
  using type = const std::string;
};

namespace {

TEST(owned_bytes, are_known_of_common_types) {
  EXPECT_TRUE(known<int> && known<std::string> && known<std::vector<int>> && known<std::vector<std::string>>);
  EXPECT_TRUE((known<std::pair<std::string, long>> && known<std::tuple<int, std::string, std::vector<double>>>));
  EXPECT_TRUE(known<std::optional<std::string>> && known<std::unique_ptr<std::string>> && known<std::shared_ptr<int>>);
  EXPECT_TRUE(known<frame> && known<std::vector<frame>> && known<weir::buffer>);
  EXPECT_TRUE((known<std::array<std::string, 3>>));
}

TEST(owned_bytes, are_not_known_of_others) {
  EXPECT_FALSE(known<silent> || known<std::vector<silent>> || known<std::function<void()>>);
  EXPECT_FALSE((known<tree> || known<first> || known<link> || known<std::map<int, int>>));
  EXPECT_FALSE((known<std::unique_ptr<base>> || known<std::unique_ptr<int, closes>> || known<record>));
  EXPECT_FALSE((known<std::array<std::string, 300>> || known<std::unique_ptr<int[]>>));
  EXPECT_FALSE(known<std::shared_ptr<std::string>>) << "others may write to it meanwhile";
  EXPECT_TRUE(weir::item_type_of<silent>().owns_unknown());
  EXPECT_FALSE(weir::item_type_of<int>().owns_unknown());
}

TEST(owned_bytes, are_counted_to_any_depth) {
  EXPECT_EQ(owned(std::vector<char>(1000)), 1000U);
  EXPECT_EQ(owned(std::pair(std::string(100, 'x'), 1L)), std::string(100, 'x').capacity());
  const std::vector<std::string> lines(10, std::string(100, 'x'));
  EXPECT_EQ(owned(lines), 10 * (sizeof(std::string) + lines.front().capacity()));
  EXPECT_EQ(owned(std::optional<std::string>()), 0U);
  EXPECT_EQ(owned(std::make_unique<std::vector<char>>(50)), sizeof(std::vector<char>) + 50);
  EXPECT_EQ(owned(frame{std::vector<char>(7)}), 7U);
  EXPECT_EQ(owned(weir::buffer(123)), 123U);
  static int global = 0;
  EXPECT_EQ(owned(std::shared_ptr<int>(std::shared_ptr<int>(), &global)), sizeof(int)) << "which nobody counts";
}

}  // namespace
