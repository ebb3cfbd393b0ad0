// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "reader.hpp"

#include "console.hpp"
#include "temporary_folder.hpp"
#include "words.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using strings = std::vector<std::string>;

class reading : public testing::Test {
 protected:
  fs::path at(const std::string& name) const { return folder_.path() / name; }
  void write(const std::string& name, const std::string& text) const { std::ofstream(at(name)) << text; }

  wordcount::reader reader_of(const strings& names) {
    strings roots;
    for (const std::string& name : names) roots.push_back(at(name));
    return wordcount::reader(roots, tally_, [this](const std::string& line) { complaints_.push_back(line); });
  }

  strings words_from(wordcount::reader& from) {
    strings words;
    while (auto block = from.next()) {
      read_ += block->read;
      wordcount::each_word(block->text, [&](std::string_view word) { words.emplace_back(word); });
    }
    return words;
  }

  weir_test::temporary_folder folder_;
  wordcount::tally tally_;
  wordcount::totals read_;
  strings complaints_;
};

TEST_F(reading, ends_words_where_files_end) {
  write("a", "one two");
  write("b", "");
  write("c", "three\n");
  auto reader = reader_of({"a", "b", "c", "a"});
  EXPECT_EQ(words_from(reader), (strings{"one", "two", "three", "one", "two"}));
  EXPECT_EQ(tally_.files, 4U);
  EXPECT_EQ(tally_.bytes, 20U);
  EXPECT_EQ(read_, (wordcount::totals{20, 4, 0}));
}

TEST_F(reading, tells_of_what_it_could_not_read_where_nothing_else_is_left) {
  auto reader = reader_of({"nothing"});
  const auto only = reader.next();
  ASSERT_TRUE(only);
  EXPECT_EQ(only->text, "");
  EXPECT_EQ(only->read, (wordcount::totals{0, 0, 1}));
  EXPECT_FALSE(reader.next());
}

TEST_F(reading, cuts_no_word_whatever_its_length) {
  for (const std::size_t length : {1UL, 262143UL, 262144UL, 262145UL, 10'000'000UL}) {
    const std::string word(length, 'x');
    write("long", word + " " + word + "\n" + word);
    auto reader = reader_of({"long"});
    EXPECT_EQ(words_from(reader), (strings{word, word, word})) << length;
  }
}

TEST_F(reading, cuts_text_into_blocks_and_loses_nothing) {
  std::string text;
  strings expected;
  for (int i = 0; text.size() < 2'000'000; ++i) {
    expected.push_back(std::to_string(i));
    text += expected.back() + (i % 7 == 0 ? "\r\n" : " ");
  }
  write("text", text);
  auto reader = reader_of({"text"});
  EXPECT_EQ(words_from(reader), expected);
}

TEST_F(reading, reports_files_that_vanish_and_goes_on) {
  fs::create_directory(at("tree"));
  write("tree/a", std::string(400'000, ' ').append("first"));
  write("tree/b", "gone");
  fs::create_directory(at("tree/c"));
  write("tree/c/d", "gone too");
  write("tree/e", "last");
  auto reader = reader_of({"tree"});
  read_ = reader.next().value().read;  // the tree has been listed, and its first file is half read
  fs::remove(at("tree/b"));
  fs::remove_all(at("tree/c"));
  EXPECT_EQ(words_from(reader), (strings{"first", "last"}));
  ASSERT_EQ(complaints_.size(), 2U);
  EXPECT_NE(complaints_[0].find("tree/b': No such file"), std::string::npos) << complaints_[0];
  EXPECT_NE(complaints_[1].find("tree/c': No such file"), std::string::npos) << complaints_[1];
  EXPECT_EQ(read_, (wordcount::totals{400'009, 2, 2}));
}

TEST_F(reading, does_not_wait_for_a_pipe_that_took_a_files_place) {
  fs::create_directory(at("tree"));
  write("tree/a", std::string(400'000, ' '));
  write("tree/b", "gone");
  write("tree/c", "gone");
  write("tree/d", "last");
  auto reader = reader_of({"tree"});
  ASSERT_TRUE(reader.next());
  fs::remove(at("tree/b"));
  ASSERT_EQ(::mkfifo(at("tree/b").c_str(), 0600), 0);
  fs::remove(at("tree/c"));
  fs::create_symlink(at("tree/d"), at("tree/c"));
  EXPECT_EQ(words_from(reader), (strings{"last"}));
  ASSERT_EQ(complaints_.size(), 1U);  // the link, which is not followed
  EXPECT_NE(complaints_[0].find("tree/c': "), std::string::npos) << complaints_[0];
}

TEST_F(reading, is_known_in_size) {
  write("a", "twelve bytes");
  fs::create_directories(at("folder/within"));
  write("folder/b", "123");
  write("folder/within/c", "45");
  fs::create_symlink(at("a"), at("folder/link"));
  fs::create_symlink(at("a"), at("link"));
  const auto size = [&](const strings& names) {
    strings roots;
    for (const std::string& name : names) roots.push_back(at(name));
    return wordcount::bytes_in(roots, {});
  };
  EXPECT_EQ(size({"a"}), 12u);
  EXPECT_EQ(size({"a", "folder", "link", "missing"}), 29u);
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  EXPECT_EQ(size({"a", "pipe"}), std::nullopt);
}

TEST(progress, tells_share_and_time_left) {
  using wordcount::progress_text;
  EXPECT_EQ(progress_text(50'000'000, 1, 200'000'000, 2), "50.0 MB in 1 file, 25 %, 25.0 MB/s, 6 s left");
  EXPECT_EQ(progress_text(50'000'000, 0, std::nullopt, 2), "50.0 MB in 0 files, 25.0 MB/s");
  EXPECT_EQ(progress_text(50'000'000, 0, 40'000'000, 2), "50.0 MB in 0 files, 25.0 MB/s");
  EXPECT_EQ(progress_text(0, 0, 40'000'000, 2), "0 B in 0 files, 0 B/s");
}

}  // namespace
