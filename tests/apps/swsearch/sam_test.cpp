// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "sam.hpp"

#include <gtest/gtest.h>

#include <string>

namespace swsearch {
namespace {

bool is_allowed(sam_names::of which, const std::string& name) { return sam_names(which).complaint(name).empty(); }

// SAMv1 1.4: [!-?A-~]{1,254}, where * stands for none; 1.2.1:
// [0-9A-Za-z!#$%&+./:;?@^_|~-][0-9A-Za-z!#$%&*+./:;=?@^_|~-]*
TEST(sam_names, follow_the_grammar) {
  const std::string digits_and_letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const std::string of_subjects = digits_and_letters + "!#$%&+./:;?@^_|~-";
  for (int value = 1; value != 256; ++value) {
    const char each = static_cast<char>(value);
    SCOPED_TRACE(value);
    const bool in_query = value > ' ' && value < 127 && each != '@',
               in_subject = of_subjects.find(each) != std::string::npos;
    EXPECT_EQ(is_allowed(sam_names::of::queries, std::string("a") + each), in_query);
    EXPECT_EQ(is_allowed(sam_names::of::queries, std::string(1, each) + "a"), in_query);
    EXPECT_EQ(is_allowed(sam_names::of::subjects, std::string(1, each) + "a"), in_subject);
    EXPECT_EQ(is_allowed(sam_names::of::subjects, std::string("a") + each), in_subject || each == '*' || each == '=');
  }
  EXPECT_FALSE(is_allowed(sam_names::of::queries, "*"));
  EXPECT_TRUE(is_allowed(sam_names::of::queries, std::string(254, 'q')));
  EXPECT_FALSE(is_allowed(sam_names::of::queries, std::string(255, 'q')));
  EXPECT_TRUE(is_allowed(sam_names::of::subjects, std::string(255, 'q')));
}

TEST(sam_names, say_what_is_wrong) {
  sam_names names(sam_names::of::subjects);
  EXPECT_EQ(names.complaint("a"), "");
  EXPECT_EQ(names.complaint("b"), "");
  EXPECT_EQ(names.complaint("a"),
            "a second sequence with the name 'a', which SAM does not allow; rename it, or choose another --outfmt");
  EXPECT_EQ(names.complaint("a,b"),
            "SAM does not allow the name 'a,b', for the ',' at its place 2; rename it, or choose another --outfmt");
  EXPECT_EQ(sam_names::complaint_about_length("a", 0x7fffffff), "");
  EXPECT_NE(sam_names::complaint_about_length("a", 0x80000000), "");
}

TEST(sam, has_one_primary_line) {
  std::string line = "q\t16\tchr1\t1\t255\t4M\n";
  make_secondary(line);
  EXPECT_EQ(line, "q\t272\tchr1\t1\t255\t4M\n");
  std::string none;
  make_secondary(none);
}

}  // namespace
}  // namespace swsearch
