// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Callables that can be used in a pipeline directly.

#include "networks.hpp"

#include <memory>
#include <optional>
#include <string>

namespace {

using namespace weir_test;

TEST(callables, may_be_generic_and_take_what_the_left_block_sends) {
  std::vector<std::string> seen;
  weir::run(
      numbers(4) | [](auto item) { return item * 0.5; } |
          [](const auto& item) -> std::optional<std::string> {
        if (item == 1) return std::nullopt;
        return std::to_string(item).substr(0, 3);
      } |
                                      [&](auto text, weir::context& at) {
                                        EXPECT_EQ(at.width(), 1U);
                                        seen.push_back(text);
                                      });
  EXPECT_EQ(seen, (std::vector<std::string>{"0.0", "0.5", "1.5"}));
}

struct overloaded {
  long process(long item) { return item + 1; }
  std::string process(const std::string& item) { return item; }
};

TEST(callables, may_have_an_overloaded_process) {
  std::vector<long> seen;
  weir::run(numbers(3) | overloaded{} | into(seen));
  EXPECT_EQ(seen, (std::vector<long>{1, 2, 3}));
}

TEST(callables, may_move_items_on) {
  long sum = 0;
  weir::run(
      numbers(10) | [](auto item) { return std::make_unique<long>(item); } |
      [](auto&& item) { return std::make_unique<long>(*item + 1); } |
      weir::sink([&](std::unique_ptr<long> item) { sum += *item; }));
  EXPECT_EQ(sum, 55);
}

}  // namespace
