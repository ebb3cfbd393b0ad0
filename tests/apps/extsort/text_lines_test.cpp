// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "core/text_lines.hpp"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace extsort {
namespace {

record_view view(const std::string& line) { return std::as_bytes(std::span(line)); }

// Words and what stands behind them say the same as a comparison does.
void expect_consistent(const text_lines& format, const std::vector<std::string>& lines) {
  for (const std::string& a : lines) {
    for (const std::string& b : lines) {
      const auto order = format.compare(view(a), view(b));
      for (std::size_t depth = 0;; ++depth) {
        const auto of_words =
            format.word(view(a).data(), a.size(), depth) <=> format.word(view(b).data(), b.size(), depth);
        if (of_words != 0) {
          EXPECT_EQ(order, of_words) << a << b << "at " << depth;
          break;
        }
        const std::uint64_t x = format.rest(view(a).data(), a.size(), depth),
                            y = format.rest(view(b).data(), b.size(), depth);
        if (x == unknown || y == unknown) break;
        if (x != y || x != goes_on) {
          EXPECT_EQ(order, x <=> y) << a << b << "at " << depth;
          break;
        }
      }
    }
  }
}

std::vector<std::string> odd_lines() {
  std::vector<std::string> made{"\n",
                                "a\n",
                                "ab\n",
                                "abcdefgh\n",
                                "abcdefghi\n",
                                "abcdefg\n",
                                "\xff\xfe\n",
                                " a\n",
                                "\t b c\n",
                                "x y z\n",
                                "x  y\n",
                                std::string("a\0\n", 3),
                                std::string("abcdefg\0\n", 9),
                                std::string("abcdefgh\0\n", 10),
                                std::string("\0\0\n", 3)};
  std::mt19937 random(4);
  for (int i = 0; i != 60; ++i) {
    std::string line;
    for (std::size_t left = random() % 30; left != 0; --left) line += "ab \t-.01"[random() % 8];
    made.push_back(line + "\n");
  }
  return made;
}

TEST(text_lines, compares_as_its_words_do) {
  expect_consistent(text_lines(), odd_lines());
  for (const char* const key : {"1", "2", "1,1", "2b,2", "1.3,2.2", "1n", "1nr", "2r", "1r", "3,3n"}) {
    SCOPED_TRACE(key);
    expect_consistent(text_lines({parse_text_key(key, {})}, std::nullopt), odd_lines());
    expect_consistent(text_lines({parse_text_key(key, {}), parse_text_key("2", {})}, ' '), odd_lines());
  }
}

TEST(compare_numbers, takes_them_for_what_they_are) {
  const std::vector<std::string> ascending{"-100",
                                           "-99.5",
                                           "-99.25",
                                           "-1",
                                           "-.5",
                                           "-0.25",
                                           "0",
                                           "0.001",
                                           ".25",
                                           "0.3",
                                           "1",
                                           "1.5",
                                           "2",
                                           "10",
                                           "123456789012345",
                                           "1234567890123456",
                                           "12345678901234567",
                                           "12345678901234567.1",
                                           "123456789012345678901234567890"};
  for (std::size_t i = 0; i != ascending.size(); ++i) {
    for (std::size_t j = 0; j != ascending.size(); ++j) {
      EXPECT_EQ(compare_numbers(ascending[i], ascending[j]), i <=> j) << ascending[i] << " " << ascending[j];
      if (word_of_number(ascending[i]) != word_of_number(ascending[j])) {
        EXPECT_EQ(word_of_number(ascending[i]) <=> word_of_number(ascending[j]), i <=> j)
            << ascending[i] << " " << ascending[j];
      }
    }
  }
  for (const char* const zero : {"", "-", "x", "-0", "000", "0.0", "-.0", " 0", ".", "\t -00.00x"}) {
    EXPECT_TRUE(compare_numbers(zero, "0") == 0) << zero;
    EXPECT_EQ(word_of_number(zero), word_of_number("0")) << zero;
  }
  EXPECT_TRUE(compare_numbers(" 007.50", "7.5z") == 0);
  const std::string many(200, '9'), more(201, '1');
  EXPECT_TRUE(compare_numbers(many, more) < 0);
  EXPECT_EQ(word_of_number(many), word_of_number(more));
}

TEST(parse_text_key, says_what_is_wrong) {
  for (const char* const key : {"", "0", "a", "1.0", "1x", "1,", "1,0", "1,2x", "1,2.1,3", "1.", "-1", "1,2.x"}) {
    try {
      parse_text_key(key, {});
      ADD_FAILURE() << key;
    } catch (const std::invalid_argument& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with(std::string("-k ") + key + ": ")) << error.what();
    }
  }
}

}  // namespace
}  // namespace extsort
