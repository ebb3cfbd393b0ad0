// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "file_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <clocale>
#include <string>
#include <vector>

namespace {

using namespace filesearch;

struct result {
  std::string text;
  std::uint64_t selected;
  bool unseen;
};

options lines_with(const std::string& pattern) {
  options chosen;
  chosen.what.patterns = {pattern};
  chosen.style.line_numbers = true;
  return chosen;
}

// Searches the file in blocks of `block` bytes, as the searcher passes them on.
result found_in(const std::string& file, const options& chosen, std::size_t block) {
  matcher matches(chosen.what);
  result found{};
  file_search search(chosen, matches, found.text, false, "file");
  std::string kept;
  for (std::size_t at = 0;;) {
    const std::size_t fresh = kept.size();
    kept.append(file, at, block);
    at = std::min(at + block, file.size());
    if (!search.take(kept.data(), kept.size(), fresh, at == file.size())) break;
    kept.erase(0, search.needs_from());
  }
  found.selected = search.selected();
  found.unseen = search.matches_unseen();
  return found;
}

TEST(file_search, gives_the_same_whatever_the_blocks) {
  std::string file;
  for (int i = 0; i != 60; ++i)
    file += i % 7 == 3 ? "a needle\n" : std::string(static_cast<std::size_t>(i % 5), 'x') + "\n";
  file += "needle at the end";
  std::vector<options> all;
  for (int kind = 0; kind != 6; ++kind) {
    all.push_back(lines_with("needle"));
    if (kind == 1) all.back().style.before = 3;
    if (kind == 2) all.back().style.after = 2;
    if (kind == 3) all.back().most = 2;
    if (kind >= 1) all.back().style.context = true;
    if (kind == 4) all.back().invert = true;
    if (kind == 4) all.back().style.selects_matches = false;
    if (kind == 5) all.back().style.before = all.back().style.after = all.back().most = 1;
  }
  for (const options& chosen : all) {
    const result whole = found_in(file, chosen, file.size());
    EXPECT_FALSE(whole.text.empty());
    for (const std::size_t block : {1UL, 2UL, 3UL, 10UL, 64UL, 200UL}) {
      const result parts = found_in(file, chosen, block);
      ASSERT_EQ(parts.text, whole.text) << block;
      ASSERT_EQ(parts.selected, whole.selected) << block;
    }
  }
}

TEST(file_search, writes_context_and_separators) {
  options chosen = lines_with("[37]");
  chosen.style.context = true;
  chosen.style.before = chosen.style.after = 1;
  EXPECT_EQ(found_in("1\n2\n3\n4\n5\n6\n7\n8\n9\n", chosen, 4).text, "2-2\n3:3\n4-4\n--\n6-6\n7:7\n8-8\n");
}

TEST(file_search, takes_a_file_for_binary_from_the_block_of_its_first_nul) {
  std::string file;
  while (file.size() < 2 * file_search::block_bytes) file += "line\n";
  file += std::string("li\0ne\nline\n", 11);
  const result found = found_in(file, lines_with("line"), 4 * file_search::block_bytes);
  EXPECT_TRUE(found.unseen);
  const std::size_t lines = 2 * file_search::block_bytes / 5;
  EXPECT_EQ(found.selected, lines + 1) << "the first one behind is the last";
  EXPECT_TRUE(found.text.ends_with(std::to_string(lines) + ":line\n"));

  options as_text = lines_with("line");
  as_text.binary = binary_files::text;
  EXPECT_FALSE(found_in(file, as_text, 4 * file_search::block_bytes).unseen);

  options skipped = lines_with("line");
  skipped.binary = binary_files::skip;
  EXPECT_EQ(found_in(file, skipped, 4 * file_search::block_bytes).selected, 0U);
  skipped.names = listed::names_with_matches;
  EXPECT_EQ(found_in(file, skipped, 4 * file_search::block_bytes).selected, 1U) << "the block before is enough";
}

TEST(file_search, leaves_out_lines_that_are_no_text) {
  ASSERT_NE(std::setlocale(LC_CTYPE, "C.UTF-8"), nullptr);
  options chosen = lines_with("needle");
  chosen.what.as.text = encoding::utf8;
  const result found = found_in("needle \xc3\xa9\nneedle \xe9\nneedle\n", chosen, 100);
  EXPECT_EQ(found.text, "1:needle \xc3\xa9\n3:needle\n");
  EXPECT_TRUE(found.unseen);
  EXPECT_EQ(found.selected, 3U);
}

}  // namespace
