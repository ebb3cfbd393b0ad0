// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "core/text_lines.hpp"

#include "core/numbers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace extsort {
namespace {

record_view view(const std::string& line) { return std::as_bytes(std::span(line)); }

// Returns the line with the bytes that may be read behind it.
std::vector<std::byte> padded(const std::string& line) {
  std::vector<std::byte> made(line.size() + record_slack, std::byte{'1'});
  std::ranges::copy(view(line), made.begin());
  return made;
}

// Expects that the words of two lines compare like the lines themselves.
template <class Format>
void expect_consistent(const Format& format, const std::vector<std::string>& lines) {
  std::vector<std::vector<std::byte>> all;
  for (const std::string& each : lines) all.push_back(padded(each));
  for (std::size_t i = 0; i != lines.size(); ++i) {
    for (std::size_t j = 0; j != lines.size(); ++j) {
      const auto order = format.compare(view(lines[i]), view(lines[j]));
      for (key_place place;;) {
        const std::uint64_t a = format.word(all[i].data(), place), b = format.word(all[j].data(), place);
        const bool is_last = a != b || !format.next(place, a);
        if (!is_last) continue;
        EXPECT_EQ(order, a <=> b) << lines[i] << lines[j] << "at word " << place.column << " of key " << place.key;
        break;
      }
      const key_difference found = format.difference(all[i].data(), all[j].data(), {});
      EXPECT_EQ(order, found.is_none ? std::strong_ordering::equal : found.a <=> found.b) << lines[i] << lines[j];
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
                                std::string("\0\0\n", 3),
                                ".\n",
                                "..\n",
                                ".a\n",
                                ".1\n",
                                "a.tar.gz\n",
                                "a~.tar\n",
                                "a0\n",
                                "a00.b\n",
                                "1K\n",
                                "-2M x\n",
                                " 2m x\n",
                                "jan\n",
                                " Dec 7\n",
                                "-A.b,C\n",
                                "ab\x01-cdefg hi\n"};
  std::mt19937 random(4);
  for (int i = 0; i != 60; ++i) {
    std::string line;
    for (std::size_t left = random() % 30; left != 0; --left) line += "ab \t-.01"[random() % 8];
    made.push_back(line + "\n");
  }
  // Numbers of many digits, also ones that end or differ late, and fields that are too long for
  // words and vectors.
  for (const std::size_t digits : {14, 15, 20, 21, 22, 28, 126, 127, 128, 300}) {
    for (const char* const sign : {"", "-", " 00"}) {
      for (const char* const last : {"", "1", ".5", ".50", "x"})
        made.push_back(sign + std::string(digits, '7') + last + " " + std::string(digits, 'f') + last + "\n");
    }
    made.push_back("." + std::string(digits, '0') + "1\n");
    made.push_back("v" + std::string(digits, '0') + "1~x.tar.g~z\n");
    made.push_back("-" + std::string(digits, '8') + "k\n");
    made.push_back(std::string(digits, ' ') + "-2\n");
  }
  return made;
}

TEST(text_lines, compares_as_its_words_do) {
  expect_consistent(text_lines(), odd_lines());
  for (const char* const key : {"1", "2", "1,1", "2b,2", "1.3,2.2", "1n", "1nr", "2r", "1r", "3,3n", "1h", "2fh,2r",
                                "1M", "1f", "1dr", "1bi", "1V", "1Vr", "2dfV"}) {
    SCOPED_TRACE(key);
    expect_consistent(text_lines({parse_text_key(key, {})}, std::nullopt), odd_lines());
    expect_consistent(text_lines({parse_text_key(key, {}), parse_text_key("2", {})}, ' '), odd_lines());
  }
}

// An end of line counts as a blank in these lines.
TEST(zero_lines, compares_as_its_words_do) {
  std::vector<std::string> lines = odd_lines();
  for (std::string& each : lines) {
    std::ranges::replace(each, '\0', '0');
    each += '\0';
  }
  expect_consistent(zero_lines(), lines);
  for (const char* const key : {"1", "2,2", "2n", "1h", "1fr", "1V", "1bM"})
    expect_consistent(zero_lines({parse_text_key(key, {}), parse_text_key("1", {})}, std::nullopt), lines);
  const std::string ten("a\n10\0", 5), nine("b\n9\0", 4);
  EXPECT_TRUE(zero_lines({parse_text_key("2,2n", {})}, std::nullopt).compare(view(ten), view(nine)) > 0);
}

std::vector<std::uint64_t> words_of(const std::string& number) {
  const std::vector<std::byte> text = padded(number);
  std::vector<std::uint64_t> made;
  while (made.empty() || goes_on(made.back()))
    made.push_back(word_of_number<'\n'>(reinterpret_cast<const char*>(text.data()), number.size(),
                                        static_cast<std::uint32_t>(made.size())));
  return made;
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
      EXPECT_EQ(words_of(ascending[i]) <=> words_of(ascending[j]), i <=> j) << ascending[i] << " " << ascending[j];
    }
  }
  for (const char* const zero : {"", "-", "x", "-0", "000", "0.0", "-.0", " 0", ".", "\t -00.00x"}) {
    EXPECT_TRUE(compare_numbers(zero, "0") == 0) << zero;
    EXPECT_EQ(words_of(zero), words_of("0")) << zero;
  }
  EXPECT_TRUE(compare_numbers(" 007.50", "7.5z") == 0);
  const std::string many(200, '9'), more(201, '1');
  EXPECT_TRUE(compare_numbers(many, more) < 0);
  EXPECT_LT(words_of(many), words_of(more));
  EXPECT_EQ(words_of("12.50").size(), 1);
}

TEST(parse_text_key, says_what_is_wrong) {
  for (const char* const key : {"", "0", "a", "1.0", "1x", "1,", "1,0", "1,2x", "1,2.1,3", "1.", "-1", "1,2.x", "1g",
                                "1nM", "2Vh", "1,2dn", "1M,2i"}) {
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
