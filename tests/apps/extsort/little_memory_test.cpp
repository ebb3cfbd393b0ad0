// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
//
// Too little memory for a request: fewer threads work, or the request is refused before anything is
// read.
#include "core/arena.hpp"
#include "core/check_file.hpp"
#include "core/engine.hpp"
#include "core/sort_file.hpp"
#include "files.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace extsort {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

class little_memory : public testing::Test {
 protected:
  sort_setup setup_for(std::size_t memory) const {
    return {.input = where_.file("in"),
            .output = where_.file("out"),
            .format = text_lines(),
            .memory = memory,
            .temporary = {where_.path()},
            .direct = false};
  }
  sort_summary sort(const sort_setup& setup, engine& by) const {
    sort_progress progress;
    return sort_file(setup, by, progress);
  }

  folder where_;
};

TEST_F(little_memory, has_fewer_threads_make_runs) {
  std::string text;
  for (int i = 0; i != 10'000; ++i) text += std::to_string(i * 7919LL % 10'000) + "\n";
  where_.write("in", text);
  const std::string expected = sorted_in_memory(text, text_lines());
  for (const int compression : {0, 1, 19}) {
    for (const run_method runs : {run_method::chunks, run_method::snowplow}) {
      for (const std::size_t memory : {mebibyte / 2, 4 * mebibyte}) {
        sort_setup setup = setup_for(memory + (compression == 0 ? 0 : 2 * mebibyte));
        setup.compression = compression;
        setup.runs = runs;
        setup.is_verified = true;
        std::vector<std::unique_ptr<engine>> engines;
        engines.push_back(weir_engine({.workers = 48}));
#ifndef __SANITIZE_THREAD__  // it does not see the synchronization of OpenMP's threads
        engines.push_back(openmp_engine(48, {}));
#endif
        for (const auto& by : engines) {
          SCOPED_TRACE(testing::Message()
                       << memory << " bytes, zstd:" << compression << ", " << static_cast<int>(runs));
          const sort_summary done = sort(setup, *by);
          EXPECT_LT(done.workers, 48u);
          EXPECT_GE(done.workers, 1u);
          EXPECT_TRUE(where_.read("out") == expected);
        }
      }
    }
  }
}

TEST_F(little_memory, has_fewer_threads_check_a_file) {
  std::string text;
  for (int i = 100'000; i != 200'000; ++i) text += std::to_string(i) + "\n";
  where_.write("in", text);
  const auto by = weir_engine({.workers = 256});
  const file_contents found = check_file(where_.file("in"), text_lines(), *by, mebibyte, reading_on::yes);
  EXPECT_EQ(found.records, 100'000u);
  EXPECT_FALSE(found.first_disorder);
  EXPECT_LT(found.workers, 8u);
}

TEST_F(little_memory, is_enough_to_count_a_file_that_is_not_sorted) {
  std::string text;
  for (int i = 200'000; i-- != 100'000;) text += std::to_string(i) + "\n";
  where_.write("in", text);
  for (const std::size_t workers : {1, 4}) {
    const auto by = weir_engine({.workers = workers});
    const file_contents all = check_file(where_.file("in"), text_lines(), *by, mebibyte / 4, reading_on::yes);
    EXPECT_EQ(all.records, 100'000u);
    EXPECT_EQ(all.first_disorder, 7u);
    const file_contents some = check_file(where_.file("in"), text_lines(), *by, mebibyte / 4, reading_on::no);
    EXPECT_LT(some.records, 100'000u);
    EXPECT_EQ(some.first_disorder, 7u);
  }
}

// Every file that can be sorted can be verified, too.
TEST_F(little_memory, verifies_the_longest_records) {
  const auto by = weir_engine({.workers = 4});
  for (std::size_t size = 300'000;; size += size / 16) {
    std::string text;
    for (const char letter : {'c', 'b', 'a'}) text += std::string(size, letter) + "\n";
    where_.write("in", text);
    sort_setup setup = setup_for(4 * mebibyte);
    setup.is_verified = true;
    try {
      sort(setup, *by);
    } catch (const std::exception& error) {
      EXPECT_EQ(std::string(error.what()).find("what was written is wrong"), std::string::npos) << error.what();
      EXPECT_GT(size, 500'000u);
      return;
    }
  }
}

// The index of that many frames takes more memory than there is. The sort fails before it reads
// anything.
TEST_F(little_memory, refuses_to_compress_what_it_can_not) {
  where_.write("in", "");
  std::filesystem::resize_file(where_.file("in"), std::uintmax_t{2} << 30);  // a hole
  sort_setup setup = setup_for(mebibyte / 4);
  setup.compression = 1;
  sort_progress progress;
  EXPECT_THROW(sort_file(setup, *weir_engine({.workers = 2}), progress), too_little_memory);
  EXPECT_EQ(progress.sorted_bytes, 0u);
  EXPECT_EQ(where_.files(), 1u);
}

}  // namespace
}  // namespace extsort
