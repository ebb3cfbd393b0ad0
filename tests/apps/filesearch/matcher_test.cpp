// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "matcher.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace filesearch;
using strings = std::vector<std::string>;

strings matching_lines(const wanted& what, std::string_view lines) {
  matcher matches(what);
  strings found;
  for (std::size_t at = 0; (at = matches.next_line(lines, at)) != std::string_view::npos;) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    found.emplace_back(lines.substr(at, end - at));
    at = std::min(end + 1, lines.size());
  }
  return found;
}

strings matches_in(const wanted& what, std::string_view line) {
  const matcher matches(what);
  strings found;
  for (std::size_t at = 0; at <= line.size();) {
    const auto match = matches.next(line, at);
    if (!match) break;
    if (match->begin != match->end) found.emplace_back(line.substr(match->begin, match->end - match->begin));
    at = std::max(match->end, match->begin + 1);
  }
  return found;
}

TEST(matcher, finds_lines) {
  const std::string_view lines = "one\ntwo\n\nthree two\nlast";
  EXPECT_EQ(matching_lines({.patterns = {"two"}}, lines), (strings{"two", "three two"}));
  EXPECT_EQ(matching_lines({.patterns = {"^t"}}, lines), (strings{"two", "three two"}));
  EXPECT_EQ(matching_lines({.patterns = {"two"}, .where = extent::line}, lines), strings{"two"});
  EXPECT_EQ(matching_lines({.patterns = {"^$"}}, lines), strings{""});
  EXPECT_EQ(matching_lines({.patterns = {"t$"}}, lines), strings{"last"});
  EXPECT_EQ(matching_lines({.patterns = {""}}, lines).size(), 5U);
  EXPECT_EQ(matching_lines({.patterns = {"one", "st"}}, lines), (strings{"one", "last"}));
  EXPECT_TRUE(matching_lines({.patterns = {}}, lines).empty());
  EXPECT_TRUE(matching_lines({.patterns = {"e[^x]*w.*h"}}, lines).empty()) << "nothing spans lines";
}

TEST(matcher, takes_the_longest_match) {
  EXPECT_EQ(matches_in({.patterns = {"a|ab|abc"}}, "abcd"), strings{"abc"});
  EXPECT_EQ(matches_in({.patterns = {"x*?"}}, "axxb"), strings{"xx"});
  EXPECT_EQ(matches_in({.patterns = {"^a"}}, "aaa"), strings{"a"}) << "a line begins once";
}

TEST(matcher, knows_words) {
  const wanted what{.patterns = {"foo", "foo-b"}, .where = extent::words};
  EXPECT_EQ(matches_in(what, "foo-bar xfoo foo_ foo"), (strings{"foo", "foo"}));
  EXPECT_EQ(matching_lines(what, "xfoo\nfoo-bar\n"), strings{"foo-bar"});
}

TEST(matcher, goes_on_without_a_text_that_is_found_in_vain) {
  std::string lines;
  for (int i = 0; i != 1000; ++i) lines += "needle without a number\n";
  lines += "needle 1\nneedle 2\n";
  EXPECT_EQ(matching_lines({.patterns = {"needle [0-9]"}}, lines), (strings{"needle 1", "needle 2"}));
}

// A text that appears without a match in many lines of one file may be rare in the next.
TEST(matcher, looks_for_texts_again_in_another_file) {
  filesearch::matcher matches({.patterns = {"needle [0-9]"}});
  std::string vain;
  for (int i = 0; i != 1000; ++i) vain += "needle without a number\n";
  EXPECT_TRUE(matches.looks_for_texts());
  matches.next_line(vain, 0);
  EXPECT_FALSE(matches.looks_for_texts());
  matches.begin_file();
  EXPECT_TRUE(matches.looks_for_texts());
  EXPECT_EQ(matches.next_line("hay\nneedle 1\n", 0), 4u);
  filesearch::matcher without({.patterns = {"[0-9]"}});
  without.begin_file();
  EXPECT_FALSE(without.looks_for_texts());
}

TEST(matcher, is_quick_with_any_pattern) {
  const std::string line(100'000, 'a');
  EXPECT_TRUE(matches_in({.patterns = {"(a*)*b", "(a|aa)+c"}}, line).empty());
}

}  // namespace
