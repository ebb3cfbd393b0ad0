// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "unicode_words.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace wordcount {
namespace {

using strings = std::vector<std::string>;

strings words_of(std::string_view text) {
  strings made;
  each_unicode_word(text, [&](std::string_view word) { made.emplace_back(word); });
  return made;
}

strings segments_of(std::string_view text) {
  strings made;
  word_segments segments(text);
  while (const auto each = segments.next()) made.emplace_back(each->text);
  return made;
}

std::string utf8(char32_t c) {
  const auto byte = [](char32_t value) { return static_cast<char>(static_cast<unsigned char>(value)); };
  const auto behind = [&](unsigned shift) { return byte(0x80 | (c >> shift & 0x3f)); };
  if (c < 0x80) return {byte(c)};
  if (c < 0x800) return {byte(0xc0 | c >> 6), behind(0)};
  if (c < 0x10000) return {byte(0xe0 | c >> 12), behind(6), behind(0)};
  return {byte(0xf0 | c >> 18), behind(12), behind(6), behind(0)};
}

TEST(unicode_words, are_what_readers_take_for_words) {
  EXPECT_EQ(words_of("It’s “quoted” — isn't it?"), (strings{"It’s", "quoted", "isn't", "it"}));
  EXPECT_EQ(words_of("a\u00a0b c–d e…f"), (strings{"a", "b", "c", "d", "e", "f"}));
  EXPECT_EQ(words_of("3.14 1,000 v1.2 U.S. snake_case _ x-y"),
            (strings{"3.14", "1,000", "v1.2", "U.S", "snake_case", "x", "y"}));
  EXPECT_EQ(words_of("caf\u0065\u0301 na\u00efve \u0418\u0432\u0430\u043d"),
            (strings{"caf\u0065\u0301", "na\u00efve", "\u0418\u0432\u0430\u043d"}));
  EXPECT_EQ(words_of("漢字 カタカナ 👍🏽 🇩🇪 ½"), (strings{"漢", "字", "カタカナ", "½"}));
  EXPECT_EQ(words_of(""), strings());
}

TEST(unicode_words, leaves_out_bytes_that_are_no_utf8) {
  for (const char* const wrong : {"\x80", "\xff", "\xc3", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80",
                                  "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe2\x80", "\xf0\x9f\x91"})
    EXPECT_EQ(words_of(std::string("ab") + wrong + "cd"), (strings{"ab", "cd"})) << testing::PrintToString(wrong);
}

// The test of the Unicode Character Database, if it is installed. It marks boundaries; the texts
// between them are the expected segments.
TEST(unicode_words, breaks_where_the_standard_says) {
  std::ifstream file("/usr/share/unicode/auxiliary/WordBreakTest.txt");
  std::string line;
  if (!std::getline(file, line)) GTEST_SKIP() << "there is no WordBreakTest.txt; Debian's package unicode-data has it";
  if (line.find(std::string("-") + unicode_version + ".txt") == std::string::npos)
    GTEST_SKIP() << "it is of another version than " << unicode_version << ": " << line;
  std::size_t tests = 0;
  while (std::getline(file, line)) {
    std::istringstream parts(line.substr(0, line.find('#')));
    std::string text;
    strings expected;
    for (std::string part; parts >> part;) {
      if (part == "÷") {
        expected.emplace_back();
      } else if (part != "×") {
        const std::string character = utf8(static_cast<char32_t>(std::stoul(part, nullptr, 16)));
        text += character;
        expected.back() += character;
      }
    }
    if (expected.empty()) continue;
    expected.pop_back();
    EXPECT_EQ(segments_of(text), expected) << line;
    ++tests;
  }
  EXPECT_GT(tests, 1000U);
}

// A text may be cut at that boundary: the words of the text are those of its two parts.
TEST(last_sure_boundary, cuts_no_word) {
  const strings some{" ", "\t", "\n", "\r",     "a",  "é",  "\u0301", "\u200d", "\u00ad", "'",   ".",
                     ",", "7",  "_",  "\u05d0", "\"", "ア", "\u2139", "👍",     "🇩",      "\xff"};
  std::mt19937 random(6);
  std::size_t cuts = 0;
  for (int i = 0; i != 20'000; ++i) {
    std::string text;
    for (std::size_t left = random() % 12; left != 0; --left) text += some[random() % some.size()];
    const std::size_t cut = last_sure_boundary(text);
    if (cut == 0) continue;
    strings both = words_of(std::string_view(text).substr(0, cut));
    for (std::string& each : words_of(std::string_view(text).substr(cut))) both.push_back(std::move(each));
    EXPECT_EQ(words_of(text), both) << testing::PrintToString(text) << " at " << cut;
    ++cuts;
  }
  EXPECT_GT(cuts, 5'000U);
}

}  // namespace
}  // namespace wordcount
