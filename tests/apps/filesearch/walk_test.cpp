// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "walk.hpp"

#include "weir/io/from.hpp"
#include "weir/item/buffer.hpp"
#include "weir/item/bytes.hpp"
#include "weir/item/codec.hpp"

#include "temporary_folder.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using strings = std::vector<std::string>;

class walking : public testing::Test {
 protected:
  walking() {
    chosen_.recursive = true;
    chosen_.sorted = true;
    chosen_.no_messages = true;
    chosen_.roots = {folder_.string()};
  }

  void write(const std::string& name) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << name;
  }

  strings files() {
    filesearch::walk walk(chosen_);
    walk.start();
    strings names;
    while (const auto batch = walk.next()) {
      found_ += batch->found;
      file_names_ = batch->file_names;
      largest_ = std::max(largest_, batch->files.size());
      for (const auto& file : batch->files) names.push_back(fs::path(file.path).lexically_relative(folder_));
    }
    return names;
  }

  weir_test::temporary_folder temporary_;
  const fs::path& folder_ = temporary_.path();
  filesearch::options chosen_;
  filesearch::outcome found_;
  bool file_names_ = false;
  std::size_t largest_ = 0;
};

TEST_F(walking, finds_regular_files_in_the_order_of_their_names) {
  for (const char* name : {"b", "a/y", "a/x/1", "a-b", "c/z", ".hidden/h"}) write(name);
  fs::create_symlink("b", folder_ / "link");
  fs::create_directory_symlink("..", folder_ / "c" / "up");
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(files(), (strings{".hidden/h", "a/x/1", "a/y", "a-b", "b", "c/z"}));
  EXPECT_EQ(found_.errors, 0U);
}

TEST_F(walking, follows_links_that_are_named) {
  write("a/1");
  fs::create_directory_symlink("a", folder_ / "link");
  chosen_.roots = {(folder_ / "link").string()};
  EXPECT_EQ(files(), strings{"link/1"});
}

TEST_F(walking, leaves_out_what_the_filter_does) {
  for (const char* name : {"a.c", "a.h", "sub/a.c", "other/a.c"}) write(name);
  chosen_.filter.include("*.c");
  chosen_.filter.exclude_directory("sub/");
  EXPECT_EQ(files(), (strings{"a.c", "other/a.c"}));
}

TEST_F(walking, hands_out_many_files_in_batches_and_few_singly) {
  for (int i = 0; i != 3; ++i) write("few/" + std::to_string(i));
  EXPECT_EQ(files().size(), 3U);
  EXPECT_EQ(largest_, 1U);
  for (int i = 0; i != 1000; ++i) write("many/" + std::to_string(i));
  EXPECT_EQ(files().size(), 1003U);
  EXPECT_GT(largest_, 10U);
}

TEST_F(walking, hands_on_what_is_not_there) {
  chosen_.roots = {(folder_ / "closed").string()};
  EXPECT_EQ(files(), strings{"closed"}) << "opening it tells";
  EXPECT_EQ(found_.errors, 0U);
}

TEST_F(walking, tells_what_it_could_not_read_also_where_there_is_no_file) {
  write("a");
  write("gone/1");
  filesearch::walk walk(chosen_);
  walk.start();
  ASSERT_EQ(walk.next()->files.size(), 1U);
  fs::remove_all(folder_ / "gone");
  const auto last = walk.next();
  ASSERT_TRUE(last);
  EXPECT_TRUE(last->files.empty());
  EXPECT_EQ(last->found.errors, 1U);
  EXPECT_FALSE(walk.next());
}

TEST_F(walking, says_whether_lines_need_names) {
  write("a");
  files();
  EXPECT_TRUE(file_names_) << "a directory";
  chosen_.roots = {(folder_ / "a").string()};
  files();
  EXPECT_FALSE(file_names_) << "one file";
  chosen_.roots.push_back(chosen_.roots.front());
  files();
  EXPECT_TRUE(file_names_) << "two files";
  chosen_.file_names = false;
  files();
  EXPECT_FALSE(file_names_) << "as asked for";
}

TEST_F(walking, reads_standard_input_for_others) {
  write("text");
  chosen_.roots = {"-", (folder_ / "text").string()};
  const int saved = ::dup(STDIN_FILENO);
  const int file = ::open((folder_ / "text").c_str(), O_RDONLY);
  ::dup2(file, STDIN_FILENO);
  ::close(file);
  filesearch::walk walk(chosen_, true);
  walk.start();
  const auto first = walk.next();
  const auto second = walk.next();
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->files.front().path, "-");
  EXPECT_EQ(first->files.front().text, "text");
  EXPECT_FALSE(second->files.front().text);
}

TEST_F(walking, batches_cross_between_processes) {
  filesearch::batch sent{.files = {{"a", false}, {"-", true, "text"}}, .directory = "/d", .file_names = true};
  sent.found.errors = 3;
  weir::byte_sink bytes;
  weir::codec<filesearch::batch>::encode(sent, bytes);
  const weir::buffer encoded = std::move(bytes).joined();
  weir::byte_source from(encoded);
  const auto got = weir::codec<filesearch::batch>::decode(from);
  EXPECT_EQ(from.left(), 0U);
  EXPECT_EQ(got.directory, "/d");
  EXPECT_TRUE(got.file_names);
  EXPECT_EQ(got.found, sent.found);
  ASSERT_EQ(got.files.size(), 2U);
  EXPECT_FALSE(got.files[0].named || got.files[0].text);
  EXPECT_EQ(got.files[1].text, "text");
}

}  // namespace
