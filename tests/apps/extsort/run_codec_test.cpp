// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "core/run_codec.hpp"

#include "core/run_cursor.hpp"
#include "core/run_output.hpp"
#include "files.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace extsort {
namespace {

constexpr std::size_t frame = 8 * page;
constexpr std::size_t buffer = 8 * page;

// Writes a run of lines, and reads it again.
class compressed_run : public testing::Test {
 protected:
  // @return the lines in the run
  std::string write(const run_compression& as, std::size_t lines) {
    std::mt19937 random(6);
    std::string text;
    memory_.reset();
    run_output to(disk_, space_, 0, as, memory_.take(run_output::memory_for(buffer, as)));
    record_writer& writer = to.begin();
    run_ = {};
    for (std::size_t i = 0; i != lines; ++i) {
      std::string line = std::to_string(i) + std::string(random() % 90, static_cast<char>('a' + random() % 26)) + "\n";
      run_.longest = std::max<std::uint64_t>(run_.longest, line.size());
      text += line;
      line.resize(line.size() + record_slack);
      writer.add(reinterpret_cast<const std::byte*>(line.data()), line.size() - record_slack);
    }
    run_.size = text.size();
    run_.records = lines;
    to.end(run_);
    return text;
  }

  std::string read(std::uint64_t begin, std::uint64_t end, std::size_t block) {
    memory_.reset();
    frame_decoder decoder(memory_.take(frame_decoder::memory_for()));
    run_cursor<text_lines> cursor(disk_, text_lines(), &decoder);
    cursor.open(run_, begin, end, block, memory_.take(cursor_memory(block, run_.longest, run_.frame)));
    std::string made;
    for (; !cursor.is_at_end(); cursor.next())
      made.append(reinterpret_cast<const char*>(cursor.at()), static_cast<std::size_t>(cursor.size()));
    return made;
  }

  folder where_;
  arena memory_{std::size_t{16} << 20};
  disk_queue disk_;
  temporary_space space_{{where_.path()}, 1, true};
  run run_;
  int told_ = 0;
};

TEST_F(compressed_run, is_read_from_any_line_on) {
  for (const int level : {1, 5, run_compression::most_level}) {
    const std::string text = write({.level = level, .frame = frame}, 20'000);
    EXPECT_LT(run_.stored, text.size() / 2);
    for (const std::size_t block : {frame, 3 * frame}) {
      EXPECT_TRUE(read(0, text.size(), block) == text);
      std::mt19937 random(2);
      for (int i = 0; i != 50; ++i) {
        const auto line = [&] { return text.find('\n', random() % text.size()) + 1; };
        std::size_t begin = line(), end = line();
        if (begin > end) std::swap(begin, end);
        EXPECT_TRUE(read(begin, end, block) == text.substr(begin, end - begin)) << begin << " to " << end;
      }
    }
  }
}

TEST_F(compressed_run, may_be_smaller_than_a_frame) {
  for (const std::size_t lines : {1u, 2u, 500u}) {
    const std::string text = write({.level = 1, .frame = frame}, lines);
    EXPECT_TRUE(read(0, text.size(), frame) == text) << lines << " lines";
  }
}

TEST_F(compressed_run, tells_of_what_has_changed) {
  const std::string text = write({.level = 1, .frame = frame}, 4'000);
  // Frames have a checksum of all bytes except the first ones, which give the frame's type.
  std::mt19937 random(3);
  for (int i = 0; i != 200; ++i) {
    const auto place = static_cast<off_t>(run_.begin + random() % run_.stored);
    const off_t begin = place / static_cast<off_t>(page) * static_cast<off_t>(page);
    alignas(page) static char block[page];
    ASSERT_EQ(::pread(run_.in->descriptor(), block, page, begin), static_cast<::ssize_t>(page));
    const char bit = static_cast<char>(1 << random() % 8);
    block[place - begin] = static_cast<char>(block[place - begin] ^ bit);
    ASSERT_EQ(::pwrite(run_.in->descriptor(), block, page, begin), static_cast<::ssize_t>(page));
    try {
      EXPECT_TRUE(read(0, text.size(), frame) == text) << "byte " << place;
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find("a temporary file in '" + where_.path() + "' is not as it was written"),
                std::string::npos)
          << error.what();
      ++told_;
    }
    block[place - begin] = static_cast<char>(block[place - begin] ^ bit);
    ASSERT_EQ(::pwrite(run_.in->descriptor(), block, page, begin), static_cast<::ssize_t>(page));
  }
  EXPECT_TRUE(read(0, text.size(), frame) == text);
  EXPECT_GT(told_, 190);
}

TEST(frame_index, knows_where_each_begins) {
  frame_index index;
  std::mt19937 random(1);
  std::vector<std::uint64_t> begins{0};
  EXPECT_EQ(index.begin_of(0), 0u);
  for (int i = 0; i != 1000; ++i) {
    index.add(random() % 40'000);
    begins.push_back(begins.back() + index.size_of(index.size() - 1));
  }
  for (std::size_t i = 0; i != begins.size(); ++i) EXPECT_EQ(index.begin_of(i), begins[i]);
}

}  // namespace
}  // namespace extsort
