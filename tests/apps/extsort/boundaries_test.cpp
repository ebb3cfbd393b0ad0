// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// Records at every place relative to the pages, blocks and chunks in which files are read and
// written, and records that are longer than any of these.
#include "core/chunk_reader.hpp"
#include "core/free_space.hpp"
#include "core/record_writer.hpp"
#include "core/run_cursor.hpp"
#include "core/sort_file.hpp"
#include "files.hpp"
#include "support/output.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstring>
#include <random>

namespace extsort {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// Instrumented programs are many times slower.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t step = 7;
#else
constexpr std::size_t step = 1;
#endif

// A record format with a text of about `bytes` bytes; some records are longer than a page.
struct kind {
  const char* name;
  record_format format;
  std::string text;
};

std::vector<kind> kinds(std::size_t bytes) {
  std::mt19937 random(5);
  std::string binary, lines;
  while (binary.size() < bytes) {
    const std::size_t size = random() % 20 == 0 ? random() % 6000 : random() % 40;
    binary += binary_record(random() % 1000, std::string(size, static_cast<char>('a' + binary.size() % 26)));
  }
  while (lines.size() < bytes)
    lines += std::string(random() % 20 == 0 ? random() % 6000 : random() % 40, static_cast<char>('a' + random() % 26)) +
             '\n';
  std::string fixed(bytes / 97 * 97, '\0');
  for (char& each : fixed) each = static_cast<char>(random());
  return {{"binary", binary_records(), binary},
          {"fixed", fixed_records{.size = 97, .key_begin = 90, .key_size = 5}, fixed},
          {"lines", text_lines(), lines}};
}

file opened(const std::string& name) { return open_file(name, O_RDWR | O_CREAT | O_TRUNC, false, "make"); }

void store(const file& in, std::string_view text, std::uint64_t place) {
  ASSERT_EQ(::pwrite(in.descriptor(), text.data(), text.size(), static_cast<off_t>(place)),
            static_cast<::ssize_t>(text.size()));
}

void expect_read_in_chunks(const file& from, const std::string& text, std::size_t begin, std::size_t memory,
                           const record_format& format) {
  arena space(memory);
  const auto all = space.take(memory);
  disk_queue disk(false);
  const auto rules = rules_of_input(format);
  chunk_reader reader(disk, from, *rules, begin, begin + text.size());
  std::string read;
  while (!reader.is_at_end()) {
    const chunk present = reader.next(all);
    ASSERT_EQ(present.place, begin + read.size());
    read.append(reinterpret_cast<const char*>(present.begin), present.known.bytes);
  }
  ASSERT_TRUE(read == text) << "from byte " << begin << " on";
}

TEST(boundaries, of_chunks) {
  const folder where;
  for (const kind& each : kinds(60'000)) {
    SCOPED_TRACE(each.name);
    for (std::size_t shift = 0; shift < page; shift += step) {
      const file from = opened(where.file("in"));
      store(from, each.text, shift);
      // Records have any size, so chunks end, and the next ones begin, at any place.
      expect_read_in_chunks(from, each.text, shift, 6 * page, each.format);
      if (HasFatalFailure()) return;
    }
  }
}

// Reads a run from byte `begin` to its end, as the last range of the run is read.
template <class Format>
void expect_read_from(const run& of, std::uint64_t begin, const std::string& text, std::size_t block,
                      const Format& format) {
  arena space(cursor_memory(block, of.longest, 0));
  disk_queue disk(false);
  run_cursor<Format> cursor(disk, format, nullptr);
  cursor.open(of, begin, of.size, block, space.take(space.size()));
  std::string read;
  for (; !cursor.is_at_end(); cursor.next()) read.append(reinterpret_cast<const char*>(cursor.at()), cursor.size());
  ASSERT_TRUE(read == text) << "from byte " << begin << " on";
}

TEST(long_boundaries, of_blocks_of_runs) {
  const folder where;
  for (const kind& each : kinds(40'000)) {
    SCOPED_TRACE(each.name);
    for (std::size_t shift = 0; shift < page; shift += step) {
      const file from = opened(where.file("in"));
      store(from, each.text, shift);
      run of;
      of.in = &from;
      of.size = shift + each.text.size();
      of.longest = 6100;
      for (const std::size_t block : {page, 2 * page})
        std::visit([&](const auto& format) { expect_read_from(of, shift, each.text, block, format); }, each.format);
      if (HasFatalFailure()) return;
    }
  }
}

// Lines that count how many bytes were examined to find their ends.
struct watched_lines : text_lines {
  static inline std::uint64_t looked_at = 0;
  std::uint64_t size_of(const std::byte* at, std::uint64_t available, std::uint64_t seen = 0) const noexcept {
    looked_at += available - seen;
    return text_lines::size_of(at, available, seen);
  }
};

std::string some_lines(std::size_t longest) {
  std::mt19937 random(7);
  std::string text;
  for (int i = 0; i != 60; ++i) {
    const std::size_t size = i % 3 == 0 ? random() % longest : i % 3 == 1 ? random() % 100 : longest - 1;
    text += std::string(size, static_cast<char>('a' + i % 26)) + "\n";
  }
  return text;
}

// Each record spans many blocks.
TEST(boundaries, of_blocks_in_long_records) {
  const folder where;
  constexpr std::size_t longest = 40 * page;
  const std::string text = some_lines(longest);
  const file from = opened(where.file("in"));
  store(from, text, 0);
  run of;
  of.in = &from;
  of.size = text.size();
  of.longest = longest;
  for (const std::size_t block : {page, 3 * page}) expect_read_from(of, 0, text, block, text_lines());
  const std::size_t second = text.find('\n') + 1;
  expect_read_from(of, second, text.substr(second), page, text_lines());
}

// However many pieces a line comes in, each byte is examined once, or a few times.
TEST(long_records, take_linear_time) {
  const folder where;
  constexpr std::size_t longest = 200 * page;
  const std::string text = some_lines(longest);
  const file from = opened(where.file("in"));
  store(from, text, 0);
  run of;
  of.in = &from;
  of.size = text.size();
  of.longest = longest;
  watched_lines::looked_at = 0;
  expect_read_from(of, 0, text, page, watched_lines());
  EXPECT_LT(watched_lines::looked_at, 4 * text.size());

  const std::string line(longest, 'x');
  const auto* const begin = reinterpret_cast<const std::byte*>(line.data());
  const input_rules_of<watched_lines> rules{watched_lines()};
  watched_lines::looked_at = 0;
  survey known;
  for (std::size_t there = page; there <= line.size(); there += page)
    rules.add_records(known, begin, there, 2 * longest);
  EXPECT_EQ(known.records, 0u);
  EXPECT_LE(watched_lines::looked_at, line.size());
}

// Writes a part of a file, and expects that the bytes around it stay unchanged.
void expect_written(const std::string& name, bool direct, std::size_t begin, const kind& of) {
  const std::string before(begin, '<'), behind(2 * page, '>');
  const file edges = opened(name);
  store(edges, before, 0);
  store(edges, behind, begin + of.text.size());
  const file to = open_file(name, O_RDWR, direct, "write");
  {
    arena space(8 * page);
    disk_queue disk;
    record_writer writer(disk, space.take(8 * page), to, &edges, begin);
    const std::string text = of.text + std::string(record_slack, '\0');
    const auto* const at = reinterpret_cast<const std::byte*>(text.data());
    std::visit(
        [&](const auto& format) {
          for (std::uint64_t offset = 0; offset != of.text.size();) {
            const std::uint64_t size = format.size_of(at + offset, of.text.size() - offset);
            writer.add(at + offset, size);
            offset += size;
          }
        },
        of.format);
    ASSERT_EQ(writer.written(), of.text.size());
    writer.finish();
  }
  ASSERT_TRUE(weir_test::file_text(name) == before + of.text + behind) << "from byte " << begin << " on";
}

TEST(long_boundaries, of_what_is_written) {
  const folder where;
  for (const kind& each : kinds(30'000)) {
    SCOPED_TRACE(each.name);
    kind small = each;
    small.text.resize(97 * 2);
    if (each.format.index() != 1) small.text = each.format.index() == 0 ? binary_record(1, "small") : "small\n";
    for (std::size_t shift = 0; shift < page; shift += step) {
      expect_written(where.file("out"), false, page + shift, each);
      if (shift % 16 == 0 || shift < 16 || shift + 200 > page) {  // direct writes are slow
        expect_written(where.file("out"), true, page + shift, each);
        expect_written(where.file("out"), true, page + shift, small);
      }
      expect_written(where.file("out"), false, page + shift, small);
      if (HasFatalFailure()) return;
    }
  }
}

// A whole sort: the places at which ranges, runs and passes begin change with each byte.
TEST(boundaries, of_a_sort) {
  const folder where;
  for (const kind& each : kinds(2'300'000)) {
    SCOPED_TRACE(each.name);
    for (std::size_t shift = 0; shift < page; shift += 293 * step) {
      std::string text = each.text;
      if (each.format.index() == 0) text = binary_record(500, std::string(shift, 's')) + text;
      if (each.format.index() == 1) text.resize(text.size() - shift / 97 * 97 * 3);
      if (each.format.index() == 2) text = std::string(shift, 's') + '\n' + text;
      where.write("in", text);
      for (const bool direct : {false, true}) {
        const sort_setup setup{.input = where.file("in"),
                               .output = where.file("out"),
                               .format = each.format,
                               .memory = mebibyte,
                               .temporary = {where.path()},
                               .direct = direct,
                               .is_verified = true};
        sort_progress progress;
        const sort_summary done = sort_file(setup, *weir_engine({.workers = 2}), progress);
        ASSERT_GT(done.runs, 4u);
        const std::string expected =
            std::visit([&](const auto& format) { return sorted_in_memory(text, format); }, each.format);
        ASSERT_TRUE(where.read("out") == expected) << "shifted by " << shift << (direct ? ", direct" : "");
      }
    }
  }
}

// Files of 4 GiB, almost all of which are holes.
TEST(boundaries, of_the_longest_records_there_can_be) {
  const folder where;
  const std::string small = binary_record(1, "a"), head = std::string(8, '\0') + "\xff\xff\xff\xff";
  constexpr std::uint64_t longest = 12 + std::uint64_t{0xffffffff};
  struct giant {
    const char* name;
    record_format format;
    std::string begin;
    std::uint64_t size;
    std::string place, what;
  };
  for (const giant& each :
       {giant{"whole", binary_records(), small + head, 13 + longest, "13", "4294967307 bytes or more, which"},
        giant{"too short by a byte", binary_records(), small + head, 12 + longest, "13",
              "4294967307 bytes or more, which"},
        giant{"a head", binary_records(), small + head, 25, "13", "is cut off: 12 bytes of it are there"},
        giant{"a line", text_lines(), "a\nb", longest, "2", " bytes or more, which is more than fits"},
        giant{"of one size", fixed_records{.size = std::uint64_t{1} << 30, .key_size = 1}, "", std::uint64_t{1} << 32,
              "0", "1073741824 bytes or more, which"}}) {
    SCOPED_TRACE(each.name);
    const file in = opened(where.file("in"));
    store(in, each.begin, 0);
    ASSERT_EQ(::ftruncate(in.descriptor(), static_cast<off_t>(each.size)), 0);
    if (room_on_file_system_of(in) < 3 * each.size) GTEST_SKIP() << "too little room for the output";
    const sort_setup setup{.input = where.file("in"),
                           .output = where.file("out"),
                           .format = each.format,
                           .memory = mebibyte,
                           .temporary = {where.path()},
                           .direct = false};
    sort_progress progress;
    struct rusage before {
    }, after{};
    ::getrusage(RUSAGE_SELF, &before);
    try {
      sort_file(setup, *weir_engine({.workers = 2}), progress);
      ADD_FAILURE() << "nothing was wrong";
    } catch (const std::exception& error) {
      const std::string what = weir::support::cause_of(error);
      EXPECT_NE(what.find("in': the record at byte " + each.place + " "), std::string::npos) << what;
      EXPECT_NE(what.find(each.what), std::string::npos) << what;
    }
    ::getrusage(RUSAGE_SELF, &after);
    EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 64 << 10);  // KiB
    EXPECT_EQ(where.files(), 1u);
  }
}

}  // namespace
}  // namespace extsort
