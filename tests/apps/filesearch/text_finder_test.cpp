// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "text_finder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <random>
#include <string>
#include <vector>

namespace {

using filesearch::text_finder;
using strings = std::vector<std::string>;

constexpr std::size_t npos = std::string::npos;

TEST(text_finder, finds_a_text_wherever_it_is) {
  const text_finder finder({"needle"}, false);
  for (std::size_t length = 0; length != 300; ++length) {
    std::string text(length, 'n');
    EXPECT_EQ(finder.find(text, 0), npos);
    text += "needle";
    EXPECT_EQ(finder.find(text, 0), length);
    EXPECT_EQ(finder.find(text + std::string(200, 'e'), 0), length);
    EXPECT_EQ(finder.find(text, length + 1), npos);
  }
}

TEST(text_finder, agrees_with_a_search_byte_by_byte) {
  std::mt19937 random(1);
  const auto pick = [&](std::size_t below) { return std::uniform_int_distribution<std::size_t>(0, below - 1)(random); };
  const auto made = [&](std::size_t length) {
    std::string text;
    for (std::size_t i = 0; i != length; ++i) text += "abAB z\n\xe9"[pick(8)];
    return text;
  };
  for (int turn = 0; turn != 3000; ++turn) {
    const bool ignore_case = pick(2) == 1;
    strings texts;
    for (std::size_t left = 1 + pick(3); left != 0; --left) texts.push_back(made(1 + pick(5)));
    std::string text = made(pick(400));
    std::string where = text;
    if (ignore_case) {
      const auto lower = [](unsigned char c) {
        return c < 128 ? static_cast<char>(std::tolower(c)) : static_cast<char>(c);
      };
      for (std::string& one : texts) std::transform(one.begin(), one.end(), one.begin(), lower);
      std::transform(where.begin(), where.end(), where.begin(), lower);
    }
    const std::size_t from = pick(text.size() + 1);
    std::size_t first = npos;
    for (const std::string& one : texts) first = std::min(first, where.find(one, from));
    ASSERT_EQ(text_finder(texts, ignore_case).find(text, from), first) << turn;
  }
}

}  // namespace
