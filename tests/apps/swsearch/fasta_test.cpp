// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "fasta.hpp"

#include "sequences.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace swsearch {
namespace {

std::vector<sequence> parsed(std::string_view text, std::size_t part = 1'000'000, bool strict = false) {
  std::vector<sequence> made;
  fasta_parser parser(alphabet::protein(), "file", strict, [&](sequence each) { made.push_back(std::move(each)); });
  for (; !text.empty(); text.remove_prefix(std::min(part, text.size()))) parser.add(text.substr(0, part));
  parser.end();
  return made;
}

std::string refusal(std::string_view text, bool strict = false) {
  try {
    parsed(text, 1'000'000, strict);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(fasta, is_read_however_it_is_cut) {
  constexpr std::string_view text =
      "; a comment\n\n>first one of two\r\nARND\r\n cq-e.g *\n\n;within\nV\n>second\n>third\tx y  \nWuOJ";
  for (std::size_t part = 1; part != text.size() + 1; ++part) {
    const auto all = parsed(text, part);
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0].name, "first");
    EXPECT_EQ(all[0].description, "one of two");
    EXPECT_EQ(letters_of(all[0].residues), "ARNDCQEG*V");
    EXPECT_EQ(all[1].name, "second");
    EXPECT_TRUE(all[1].residues.empty());
    EXPECT_EQ(all[2].description, "x y");
    EXPECT_EQ(letters_of(all[2].residues), "WUOJ");
  }
}

TEST(fasta, without_any_sequence_is_empty) {
  EXPECT_TRUE(parsed("").empty());
  EXPECT_TRUE(parsed("\n \n;x\n").empty());
}

TEST(fasta, that_is_doubtful_is_counted) {
  std::vector<sequence> made;
  fasta_parser parser(alphabet::protein(), "file", false, [&](sequence each) { made.push_back(std::move(each)); });
  parser.add(">\n   1 MKVLA 60\n> \nARN\n>a\nMK9\n");
  parser.end();
  ASSERT_EQ(made.size(), 3u);
  EXPECT_EQ(made[0].name, "unnamed");
  EXPECT_EQ(letters_of(made[0].residues), "MKVLA");
  EXPECT_EQ(made[1].name, "unnamed");
  EXPECT_EQ(made[2].name, "a");
  EXPECT_EQ(letters_of(made[2].residues), "MK");
  EXPECT_EQ(parser.doubts().digits, 4u);
  EXPECT_EQ(parser.doubts().unnamed, 2u);
  EXPECT_EQ(parser.doubts().unknown, 0u);
}

TEST(fasta, may_begin_with_the_mark_of_utf_8) {
  const std::string text = "\xef\xbb\xbf>a b\nMK\n";
  for (std::size_t part = 1; part != text.size() + 1; ++part) {
    const auto all = parsed(text, part);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].name, "a");
    EXPECT_EQ(letters_of(all[0].residues), "MK");
  }
  EXPECT_EQ(parsed(">a\nM").size(), 1u);
  EXPECT_EQ(parsed("\xef\xbb\xbf").size(), 0u);
}

TEST(fasta, that_is_compressed_otherwise_is_told) {
  const std::string xz(
      "\xfd"
      "7zXZ\0\0",
      7);
  EXPECT_EQ(refusal(xz), "file: it is compressed by xz, and only gzip and zstd are read; unpack it, as by `xz -dc`");
  EXPECT_EQ(refusal("BZh91AY"),
            "file: it is compressed by bzip2, and only gzip and zstd are read; unpack it, as by `bzip2 -dc`");
}

TEST(fasta, that_is_wrong_is_refused_with_its_line) {
  EXPECT_EQ(refusal("\nARND\n"), "file:2: a sequence begins with a line '>name', which is missing");
  EXPECT_EQ(refusal(">a\nAR1\n", true), "file:2: '1' is no residue; is this FASTA?");
  EXPECT_EQ(refusal("1\n"), "file:1: '1' is no residue; is this FASTA?");
  EXPECT_EQ(refusal(std::string_view(">a\nA\0R\n", 8)), "file:2: a byte of value 0 is no residue; is this FASTA?");
  EXPECT_EQ(refusal(std::string_view(">a\0b\nA\n", 7)),
            "file:1: a byte of value 0 in the name of a sequence; is this FASTA?");
  EXPECT_EQ(refusal(">a\nA\n> \nA\n", true), "file:3: a name is missing behind '>'");
  EXPECT_EQ(refusal(">a\nA\n>", true), "file:3: a name is missing behind '>'");
  EXPECT_EQ(refusal(">a\n\xff\n"), "file:2: a byte of value 255 is no residue; is this FASTA?");
}

TEST(fasta, may_have_letters_that_stand_for_no_residue_unless_that_is_forbidden) {
  const alphabet& dna = alphabet::dna();
  std::vector<sequence> all;
  fasta_parser parser(dna, "file", false, [&](sequence each) { all.push_back(std::move(each)); });
  parser.add(">a\nacguRYEQ\n");
  parser.end();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(letters_of(all[0].residues, dna), "ACGTRYNN");
  EXPECT_EQ(parser.doubts().unknown, 2u);
  fasta_parser strict(dna, "file", true, [](const sequence&) {});
  EXPECT_THROW(strict.add(">a\nACGE\n"), std::invalid_argument);
}

}  // namespace
}  // namespace swsearch
