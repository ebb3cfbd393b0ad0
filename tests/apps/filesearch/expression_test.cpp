// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "expression.hpp"

#include <gtest/gtest.h>

#include <clocale>
#include <string>
#include <vector>

namespace {

using namespace filesearch;
using strings = std::vector<std::string>;

constexpr notation plain{.text = encoding::bytes, .ignore_case = false};
constexpr notation any_case{.text = encoding::bytes, .ignore_case = true};

expression parsed(const std::string& pattern, notation as = plain) {
  return parse_extended(pattern, as, [](const std::string&) {});
}

std::string complaint_of(const std::string& pattern) {
  try {
    parsed(pattern);
  } catch (const pattern_error& error) {
    return error.what();
  }
  return "";
}

TEST(expression, says_what_is_wrong_with_a_pattern) {
  EXPECT_EQ(complaint_of("("), "Unmatched ( or \\(");
  EXPECT_EQ(complaint_of("[a"), "Unmatched [, [^, [:, [., or [=");
  EXPECT_EQ(complaint_of("a\\"), "Trailing backslash");
  EXPECT_EQ(complaint_of("a{3,2}"), "Invalid content of \\{\\}");
  EXPECT_EQ(complaint_of("[z-a]"), "Invalid range end");
  EXPECT_EQ(complaint_of("[[:letter:]]"), "Invalid character class name");
  EXPECT_NE(complaint_of("(a)\\1").find("back-references"), std::string::npos);
  EXPECT_NE(complaint_of(std::string(1000, '(') + std::string(1000, ')')), "");
}

TEST(expression, warns_of_a_repetition_of_nothing) {
  strings said;
  parse_extended("*a|+b", plain, [&](const std::string& line) { said.push_back(line); });
  EXPECT_EQ(said, (strings{"warning: * at start of expression", "warning: + at start of expression"}));
}

TEST(expression, says_words_by_their_edges_and_neighbours) {
  const auto text = [](const std::string& pattern) { return re2_text(parsed(pattern)); };
  EXPECT_EQ(text("\\<foo"), text("\\bfoo"));
  EXPECT_EQ(text("foo\\>"), text("foo\\b"));
  EXPECT_EQ(text("\\<."), text("\\b\\w"));
  EXPECT_EQ(text("main\\s*\\>"), text("main\\b")) << "no word ends behind a space";
  EXPECT_EQ(text("\\<"), "\\b") << "a line with an edge has a start";
  EXPECT_EQ(text("(-|\\<)x"), text("-x|\\bx"));
  EXPECT_EQ(text("\\<\\>"), text("\\<$")) << "both match nothing";
  EXPECT_NE(complaint_of("((\\<|a)(\\<|b)(\\<|c)){900}").find("use fewer"), std::string::npos);
}

TEST(expression, has_no_line_end_in_any_set) {
  for (const std::string pattern : {".", "[^a]", "\\W", "\\s", "\\S", "[[:space:]]", "[^[:alpha:]]"}) {
    const expression tree = parsed(pattern);
    ASSERT_EQ(tree.parts.size(), 1U) << pattern;
    for (const range part : tree.parts[0].set) EXPECT_FALSE(part.first <= '\n' && part.last >= '\n') << pattern;
  }
}

TEST(expression, knows_texts_that_every_match_has) {
  const auto of = [](const std::string& pattern, notation as = plain) { return required(parsed(pattern, as), as); };
  EXPECT_EQ(of("needle").any_of, strings{"needle"});
  EXPECT_TRUE(of("needle").suffices);
  EXPECT_EQ(of("a[0-9]+needle").any_of, strings{"needle"});
  EXPECT_FALSE(of("a[0-9]+needle").suffices);
  EXPECT_EQ(of("one|(two)|three").any_of, (strings{"one", "two", "three"}));
  EXPECT_TRUE(of("one|(two)|three").suffices);
  EXPECT_EQ(of("^#define [A-Z]+_MAX").any_of, strings{"_MAX"}) << "rarer, if shorter";
  EXPECT_EQ(of("x(one|two)+y?").any_of, (strings{"one", "two"}));
  EXPECT_TRUE(of("one|[0-9]").any_of.empty());
  EXPECT_TRUE(of("(needle)*").any_of.empty());
  EXPECT_TRUE(of("a").any_of.empty()) << "too short to be worth it";
  EXPECT_EQ(of("^needle$").any_of, strings{"needle"});
  EXPECT_FALSE(of("^needle$").suffices);
  EXPECT_EQ(of("NeeDle-1", any_case).any_of, strings{"needle-1"});
}

TEST(expression, knows_that_case_may_change_the_length_of_a_character) {
  ASSERT_NE(std::setlocale(LC_CTYPE, "C.UTF-8"), nullptr);
  const notation utf8{.text = encoding::utf8, .ignore_case = true};
  // The long s is another case of s, and the dotless i of i.
  EXPECT_EQ(required(parsed("ropes and more", utf8), utf8).any_of, strings{" and more"});
}

}  // namespace
