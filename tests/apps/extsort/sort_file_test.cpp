// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sort_file.hpp"

#include "core/check_file.hpp"
#include "core/chunk_reader.hpp"
#include "files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <initializer_list>
#include <memory>
#include <random>
#include <tuple>

namespace extsort {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// Instrumented programs are many times slower. The numbers suffice for more runs than are merged at
// once.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t many_records = 40'000, much_text = 500'000;
#else
constexpr std::uint64_t many_records = 120'000, much_text = 1'500'000;
#endif

struct variant {
  const char* name;
  std::function<std::unique_ptr<engine>()> make;
  run_method runs = run_method::chunks;
  int compression = 0;
  std::string folder = testing::TempDir();  // may be on a disk
};
const variant variants[] = {
    {"seq", [] { return sequential_engine({}); }},
    {"seq_snowplow", [] { return sequential_engine({}); }, run_method::snowplow},
#ifndef __SANITIZE_THREAD__  // it does not see the synchronization of OpenMP's threads
    {"openmp", [] { return openmp_engine(3, {}); }},
    {"openmp_snowplow", [] { return openmp_engine(3, {}); }, run_method::snowplow},
#endif
    {"weir_1", [] { return weir_engine({.workers = 1}); }},
    {"weir_3", [] { return weir_engine({.workers = 3}); }},
    {"weir_3_snowplow", [] { return weir_engine({.workers = 3}); }, run_method::snowplow},
    {"seq_compressed", [] { return sequential_engine({}); }, run_method::chunks, 3},
    {"weir_3_compressed", [] { return weir_engine({.workers = 3}); }, run_method::chunks, 1},
    {"weir_2_snowplow_compressed", [] { return weir_engine({.workers = 2}); }, run_method::snowplow, 1},
    {"weir_threads", [] { return weir_engine({.workers = 2, .on_threads = true}); }},
#ifndef __SANITIZE_THREAD__  // a single thread
    {"weir_1_in_memory", [] { return weir_engine({.workers = 1}); }, run_method::chunks, 0, "/dev/shm"},
#endif
    {"weir_3_in_memory", [] { return weir_engine({.workers = 3}); }, run_method::chunks, 0, "/dev/shm"},
};

class each_engine : public testing::TestWithParam<variant> {
 protected:
  sort_setup setup_for(const record_format& format, std::size_t memory, bool direct = false) const {
    const std::size_t for_zstd = GetParam().compression == 0 ? 0 : mebibyte;
    return {.input = where_.file("in"),
            .output = where_.file("out"),
            .format = format,
            .memory = memory + for_zstd,
            .temporary = {where_.path()},
            .direct = direct,
            .compression = GetParam().compression,
            .runs = GetParam().runs};
  }
  sort_summary sort(const std::string& text, const record_format& format, std::size_t memory, bool direct = false,
                    std::size_t most_at_once = 0) {
    where_.write("in", text);
    sort_setup setup = setup_for(format, memory, direct);
    setup.most_at_once = most_at_once;
    sort_progress progress;
    const auto by = GetParam().make();
    const sort_summary done = sort_file(setup, *by, progress);
    EXPECT_EQ(progress.sorted_bytes, done.bytes);
    EXPECT_EQ(where_.files(), 2u);
    EXPECT_TRUE(where_.read("in") == text);
    return done;
  }
  // Sorts the text once with each of these amounts of memory.
  void expect_sorted(const std::string& text, const record_format& format, std::initializer_list<std::size_t> memory,
                     bool direct = false) {
    const std::string expected = std::visit([&](const auto& as) { return sorted_in_memory(text, as); }, format);
    for (const std::size_t bytes : memory) {
      sort(text, format, bytes, direct);
      EXPECT_TRUE(where_.read("out") == expected) << "with " << bytes << " bytes of memory";
    }
  }

  folder where_{GetParam().folder};
};

TEST_P(each_engine, sorts_all_distributions_stably) {
  for (const auto keys :
       {key_distribution::uniform, key_distribution::zipf, key_distribution::sorted, key_distribution::reversed,
        key_distribution::nearly, key_distribution::equal, key_distribution::few}) {
    for (const std::uint32_t limit : {8u, 16u, 600u}) {
      const std::string text =
          generated({.records = limit == 600 ? many_records / 8 : many_records, .keys = keys, .payload_limit = limit});
      SCOPED_TRACE(testing::Message() << "distribution " << static_cast<int>(keys) << ", payloads below " << limit);
      expect_sorted(text, binary_records(), {mebibyte, 4 * mebibyte});
    }
  }
}

TEST_P(each_engine, sorts_past_the_page_cache) {
  const std::string text = generated({.records = many_records, .payload_limit = 30});
  expect_sorted(text, binary_records(), {mebibyte, 32 * mebibyte}, true);
  expect_sorted(text.substr(0, 0), binary_records(), {mebibyte}, true);
}

TEST_P(each_engine, sorts_keys_of_all_bits) {
  std::mt19937_64 random(3);
  std::string text;
  for (int i = 0; i != 60'000; ++i) {
    const std::uint64_t key = i % 7 == 0   ? random()
                              : i % 7 == 1 ? 0
                              : i % 7 == 2 ? ~std::uint64_t{0}
                                           : random() % 3 << 60 | random() % 50;
    text += binary_record(key, std::to_string(i));
  }
  expect_sorted(text, binary_records(), {mebibyte});
}

TEST_P(each_engine, sorts_records_of_one_size) {
  const std::string text = generated({.records = 20'000, .fixed_size = 100});
  expect_sorted(text, fixed_records{.size = 100, .key_begin = 0, .key_size = 10}, {2 * mebibyte});
  // Few distinct keys of one byte to more than a word, at various places.
  const std::string few = generated({.records = 20'000, .keys = key_distribution::few, .fixed_size = 33});
  for (const auto& [begin, size] : {std::pair{0u, 1u}, {0u, 8u}, {0u, 20u}, {17u, 3u}, {32u, 1u}, {0u, 33u}})
    expect_sorted(few, fixed_records{.size = 33, .key_begin = begin, .key_size = size}, {mebibyte});
}

TEST_P(each_engine, sorts_lines) {
  for (const unsigned kinds : {3u, 4u, 20u}) {
    for (const std::size_t longest : {2u, 12u, 200u}) {
      const std::string text = random_text(much_text, kinds, longest);
      SCOPED_TRACE(testing::Message() << kinds << " kinds of characters, lines up to " << longest);
      expect_sorted(text, text_lines(), {2 * mebibyte});
    }
  }
}

// The first of several lines with equal keys is kept.
TEST_P(each_engine, leaves_out_lines_with_equal_keys) {
  const text_lines format({parse_text_key("1,1", {})}, ' ');
  for (const unsigned kinds : {3u, 5u, 20u}) {
    const std::string text = random_text(much_text, kinds, 12);
    const std::string sorted = sorted_in_memory(text, format);
    std::string expected;
    record_view last;
    for (std::size_t at = 0, end = 0; at != sorted.size(); at = end) {
      end = sorted.find('\n', at) + 1;
      const record_view present = std::as_bytes(std::span(sorted)).subspan(at, end - at);
      if (last.empty() || format.compare(last, present) != 0) expected += sorted.substr(at, end - at);
      last = present;
    }
    where_.write("in", text);
    for (const std::size_t memory : {mebibyte, 32 * mebibyte}) {
      sort_setup setup = setup_for(format, memory, kinds == 20);
      setup.is_unique = true;
      sort_progress progress;
      const sort_summary done = sort_file(setup, *GetParam().make(), progress);
      EXPECT_EQ(done.bytes, expected.size());
      EXPECT_TRUE(where_.read("out") == expected) << kinds << " kinds of characters, " << memory << " bytes of memory";
    }
  }
}

TEST_P(each_engine, sorts_no_record_and_one) {
  expect_sorted("", binary_records(), {mebibyte});
  expect_sorted("", text_lines(), {mebibyte});
  expect_sorted(binary_record(7, ""), binary_records(), {mebibyte});
  expect_sorted(binary_record(7, "") + binary_record(6, "x") + binary_record(7, "a"), binary_records(), {mebibyte});
  expect_sorted("\n", text_lines(), {mebibyte});
}

TEST_P(each_engine, ends_the_last_line) {
  sort("b\na", text_lines(), mebibyte);
  EXPECT_EQ(where_.read("out"), "a\nb\n");
  const std::string text = random_text(much_text, 20, 50);
  sort(text.substr(0, text.size() - 1), text_lines(), mebibyte);
  EXPECT_TRUE(where_.read("out") == sorted_in_memory(text, text_lines()));
}

// Records longer than the blocks in which runs are read.
TEST_P(each_engine, sorts_long_records) {
  std::mt19937 random(8);
  std::string text;
  for (int i = 0; i != 60; ++i)
    text += binary_record(random() % 20, std::string(random() % 200'000, static_cast<char>('a' + i % 26)));
  expect_sorted(text, binary_records(), {3 * mebibyte});
}

// Records of one to several pages, beside small ones: the memory for them fragments.
TEST_P(each_engine, sorts_records_of_very_different_sizes) {
  std::mt19937 random(9);
  std::string text;
  for (int i = 0; text.size() < 6 * mebibyte; ++i) {
    const std::size_t longest = i % 4 == 0 ? 40'000 : i % 4 == 1 ? 5'000 : 60;
    text += binary_record(random() % 500, std::to_string(i) + std::string(random() % longest, 'x'));
  }
  expect_sorted(text, binary_records(), {mebibyte, 2 * mebibyte, 32 * mebibyte});
}

TEST_P(each_engine, makes_as_many_passes_as_it_needs) {
  const std::string text = generated({.records = 3 * many_records, .payload_limit = 40});
  const std::string expected = sorted_in_memory(text, binary_records());
  for (const std::size_t most_at_once : {2u, 3u, 5u}) {
    const sort_summary done = sort(text, binary_records(), mebibyte, false, most_at_once);
    EXPECT_GT(done.runs, 3u);
    EXPECT_EQ(done.passes > 1, done.runs > most_at_once);
    EXPECT_EQ(done.records, 3 * many_records);
    EXPECT_EQ(done.bytes, text.size());
    EXPECT_TRUE(where_.read("out") == expected) << most_at_once << " at once";
  }
  EXPECT_EQ(sort(text, binary_records(), 32 * mebibyte).passes, 1u);
}

TEST_P(each_engine, merges_in_pairs) {
  const std::string text = generated({.records = 3 * many_records, .payload_limit = 40});
  where_.write("in", text);
  const std::string expected = sorted_in_memory(text, binary_records());
  for (const std::size_t memory : {mebibyte, 2 * mebibyte, 5 * mebibyte, 64 * mebibyte}) {
    sort_setup setup = setup_for(binary_records(), memory);
    setup.merging = merge_method::binary;
    sort_progress progress;
    const sort_summary done = sort_file(setup, *GetParam().make(), progress);
    // Each pass halves the number of runs.
    EXPECT_EQ(done.passes, std::max<std::size_t>(1, std::bit_width(done.runs - 1))) << done.runs << " runs";
    EXPECT_EQ(progress.merged_bytes, progress.to_merge);
    EXPECT_TRUE(where_.read("out") == expected) << memory << " bytes of memory";
  }
}

TEST_P(each_engine, refuses_what_is_cut_off) {
  const std::string text = generated({.records = 100'000, .payload_limit = 30});
  where_.write("out", "before");
  for (const std::size_t left : {std::size_t{3}, std::size_t{11}, text.size() - 1}) {
    try {
      sort(text.substr(0, left), binary_records(), mebibyte);
      ADD_FAILURE() << "nothing was wrong with " << left << " bytes";
    } catch (const std::exception& error) {
      EXPECT_NE(std::string(error.what()).find("is cut off"), std::string::npos) << error.what();
    }
    EXPECT_EQ(where_.read("out"), "before");
    EXPECT_EQ(where_.files(), 2u);
  }
}

TEST_P(each_engine, refuses_records_that_do_not_fit_into_memory) {
  where_.write("out", "before");
  const std::string small = binary_record(1, "a");
  for (const std::string& text : {small + binary_record(2, std::string(5'000'000, 'b')) + small,
                                  small + std::string(8, '\0') + "\xff\xff\xff\xff" + std::string(9'000'000, 'c')}) {
    try {
      sort(text, binary_records(), mebibyte);
      ADD_FAILURE() << "nothing was wrong";
    } catch (const std::exception& error) {
      EXPECT_NE(std::string(error.what()).find("the record at byte 13 "), std::string::npos) << error.what();
    }
    EXPECT_EQ(where_.read("out"), "before");
  }
}

// Without a check, the sort would detect only at the end that two such records can't be merged.
TEST_P(each_engine, refuses_records_that_can_not_be_merged) {
  const std::string small = binary_record(1, "a");
  std::size_t fits = 1000;
  for (std::size_t size = mebibyte; size > fits; size = size * 7 / 8) {
    const std::string text = small + small + binary_record(2, std::string(size, 'b')) + small +
                             binary_record(2, std::string(size, 'c')) + generated({.records = many_records});
    try {
      expect_sorted(text, binary_records(), {mebibyte});
      fits = size;
    } catch (const std::exception& error) {
      EXPECT_NE(std::string(error.what()).find("the record at byte 26 has "), std::string::npos) << error.what();
    }
  }
  EXPECT_GT(fits, mebibyte / 25);
}

TEST_P(each_engine, replaces_its_input) {
  const std::string text = generated({.records = 50'000, .payload_limit = 30});
  where_.write("in", text);
  sort_setup setup = setup_for(binary_records(), mebibyte);
  setup.output = setup.input;
  sort_progress progress;
  sort_file(setup, *GetParam().make(), progress);
  EXPECT_TRUE(where_.read("in") == sorted_in_memory(text, binary_records()));
  EXPECT_EQ(where_.files(), 1u);
}

TEST(overlap, of_parts) {
  using parts = std::vector<std::pair<std::string, std::string>>;
  const record_format lines = text_lines();
  EXPECT_EQ(first_overlap(parts(), lines, true), std::nullopt);
  EXPECT_EQ(first_overlap(parts{{"a\n", "c\n"}, {"c\n", "d\n"}, {"", ""}, {"e\n", "e\n"}}, lines, false), std::nullopt);
  EXPECT_EQ(first_overlap(parts{{"a\n", "c\n"}, {"c\n", "d\n"}, {"", ""}, {"e\n", "e\n"}}, lines, true), 1u);
  EXPECT_EQ(first_overlap(parts{{"a\n", "c\n"}, {"b\n", "d\n"}}, lines, false), 1u);
  EXPECT_EQ(first_overlap(parts{{"a\n", "c\n"}, {"", ""}, {"b\n", "d\n"}}, lines, false), 2u);
  EXPECT_EQ(first_overlap(parts{{"a\n", "c\n"}, {"d\n", ""}, {"", "f\n"}, {"b\n", "z\n"}}, lines, false), 3u);
  const auto key = [](std::uint64_t value) { return binary_record(value, "x"); };
  const record_format records = binary_records();
  EXPECT_EQ(first_overlap(parts{{key(1), key(256)}, {key(257), key(900)}}, records, true), std::nullopt);
  EXPECT_EQ(first_overlap(parts{{key(1), key(256)}, {key(2), key(900)}}, records, true), 1u);
}

// Sources: S, appendix; Knuth, TAOCP 3, 5.4.1.
TEST(snowplow, makes_longer_runs) {
  const folder where;
  const auto runs = [&](const std::string& text, run_method method, std::size_t workers) {
    where.write("in", text);
    const sort_setup setup{.input = where.file("in"),
                           .output = where.file("out"),
                           .format = binary_records(),
                           .memory = 2 * mebibyte,
                           .temporary = {where.path()},
                           .direct = false,
                           .runs = method};
    sort_progress progress;
    const sort_summary done = sort_file(setup, *weir_engine({.workers = workers}), progress);
    EXPECT_TRUE(where.read("out") == sorted_in_memory(text, binary_records()));
    return done.runs;
  };
  const auto of = [](key_distribution keys) {
    return generated({.records = std::uint64_t{400'000}, .keys = keys, .payload_limit = 80});
  };
  const std::string random = of(key_distribution::uniform);
  const std::size_t memory = 2 * mebibyte;
  EXPECT_GT(runs(random, run_method::chunks, 1), random.size() / memory);
  EXPECT_LT(runs(random, run_method::snowplow, 1), random.size() * 10 / (13 * memory) + 1);
  EXPECT_EQ(runs(of(key_distribution::sorted), run_method::snowplow, 1), 1u);
  EXPECT_EQ(runs(of(key_distribution::equal), run_method::snowplow, 1), 1u);
  EXPECT_LE(runs(of(key_distribution::sorted), run_method::snowplow, 2), 2u);
  // Each run is as long as the memory.
  const std::string reversed = of(key_distribution::reversed);
  EXPECT_LT(runs(reversed, run_method::snowplow, 1), reversed.size() * 10 / (8 * memory) + 2);

  // Each record is at most a third of the memory away from its place.
  std::string nearly;
  std::mt19937 shuffle(4);
  for (std::uint64_t i = 0; i != 300'000; ++i)
    nearly += binary_record(i * 40 + shuffle() % (600 * mebibyte / 1024), std::to_string(i));
  EXPECT_EQ(runs(nearly, run_method::snowplow, 1), 1u);
}

// Lines that compare by images of their keys; lines with other ends, after a header.
TEST(sort_file, sorts_lines_of_all_kinds) {
  const folder where{testing::TempDir()};
  for (const run_method runs : {run_method::chunks, run_method::snowplow}) {
    const auto sorted = [&](const std::string& text, const record_format& format, std::uint64_t header_lines) {
      where.write("in", text);
      sort_progress progress;
      sort_file({.input = where.file("in"),
                 .output = where.file("out"),
                 .format = format,
                 .memory = mebibyte,
                 .temporary = {where.path()},
                 .is_verified = true,
                 .header_lines = header_lines,
                 .runs = runs},
                *weir_engine({.workers = 2}), progress);
      return where.read("out");
    };
    std::string text = random_text(much_text / 3, 20, 30);
    const text_lines versions({parse_text_key("1V", {})}, std::nullopt);
    EXPECT_TRUE(sorted(text, versions, 0) == sorted_in_memory(text, versions));
    std::ranges::replace(text, '\n', '\0');
    std::size_t header = 0;
    for (int i = 0; i != 3; ++i) header = text.find('\0', header) + 1;
    EXPECT_TRUE(sorted(text, zero_lines(), 3) ==
                text.substr(0, header) + sorted_in_memory(text.substr(header), zero_lines()));
  }
}

INSTANTIATE_TEST_SUITE_P(with, each_engine, testing::ValuesIn(variants),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace extsort
