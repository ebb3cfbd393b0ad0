// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0

// The reading part of extsort: chunks of records of each format, out of a file, in memory of any
// size. Each chunk is compared with the result of reading the format byte by byte, and its sorted
// records with std::stable_sort. The first byte of the input is the format, the second the size of
// the memory, the third the place in the file where the records begin, the fourth and fifth the
// parameters of fixed records.
#include "weir/io/from.hpp"

#include "core/chunk_reader.hpp"
#include "core/sort_chunk.hpp"
#include "core/text_lines.hpp"
#include "must.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace extsort;
using weir_fuzz::must;

struct expected {
  std::vector<std::string> records;
  std::uint64_t end = 0;  // of the last whole record
};

expected whole_records(std::string_view text, const binary_records&) {
  expected made;
  while (text.size() - made.end >= 12) {
    std::uint32_t length = 0;
    std::memcpy(&length, text.data() + made.end + 8, sizeof length);
    if (text.size() - made.end - 12 < length) break;
    made.records.emplace_back(text.substr(made.end, 12 + std::uint64_t{length}));
    made.end += made.records.back().size();
  }
  return made;
}

expected whole_records(std::string_view text, const fixed_records& format) {
  expected made;
  for (; text.size() - made.end >= format.size; made.end += format.size)
    made.records.emplace_back(text.substr(made.end, format.size));
  return made;
}

template <char End>
expected whole_records(std::string_view text, const lines_ending_with<End>&) {
  expected made;
  while (made.end != text.size()) {
    const std::size_t found = text.find(End, made.end);
    const std::size_t size = (found == std::string_view::npos ? text.size() : found) - made.end;
    made.records.push_back(std::string(text.substr(made.end, size)) + End);
    made.end = std::min(text.size(), made.end + size + 1);
  }
  return made;
}

record_view view(const std::string& of) { return std::as_bytes(std::span(of)); }

template <class Format>
void expect_sorted(const chunk& of, const Format& format, std::vector<std::string> records) {
  chunk_sorter<Format> sorter(format);
  sorter.sort(of.begin, of.known, of.words);
  std::stable_sort(records.begin(), records.end(),
                   [&](const std::string& a, const std::string& b) { return format.compare(view(a), view(b)) < 0; });
  for (std::size_t i = 0; i != records.size(); ++i) {
    const std::uint64_t offset = sorter.offset_in(of.words[i]);
    must(offset <= of.known.bytes && records[i].size() <= of.known.bytes - offset, "records are inside their chunk");
    must(std::memcmp(of.begin + offset, records[i].data(), records[i].size()) == 0, "in the order of a stable sort");
  }
}

template <class Format>
void read(const std::string& file_contents, std::uint64_t begin, std::size_t memory, const Format& format) {
  const std::string_view text = std::string_view(file_contents).substr(begin);
  const int made = ::memfd_create("fuzz", MFD_CLOEXEC);
  must(made >= 0 &&
           ::write(made, file_contents.data(), file_contents.size()) == static_cast<::ssize_t>(file_contents.size()),
       "there is memory for a file");
  const file from(made, "fuzz", false);
  // Exactly as large as needed, so that accesses beyond it are detected.
  struct pages {
    explicit pages(std::size_t bytes) : size(bytes), at(static_cast<std::byte*>(::aligned_alloc(page, bytes))) {}
    ~pages() { std::free(at); }
    std::size_t size;
    std::byte* at;
  } space(memory);
  disk_queue disk(false);
  const input_rules_of<Format> rules(format);
  chunk_reader reader(disk, from, rules, begin, file_contents.size());
  const expected all = whole_records(text, format);
  std::size_t known = 0;
  std::uint64_t place = begin, number = 0;
  try {
    while (!reader.is_at_end()) {
      const chunk present = reader.next({space.at, space.size});
      must(present.number == number++ && present.place == place, "chunks follow each other");
      must(present.known.records > 0 && present.known.records <= all.records.size() - known, "with records in them");
      must(present.words.size() == present.known.records, "and a word for each");
      const auto* const words = reinterpret_cast<const std::byte*>(present.words.data());
      must(present.begin >= space.at && present.begin + present.known.bytes <= words, "beside each other");
      std::vector<std::string> records(
          all.records.begin() + static_cast<std::ptrdiff_t>(known),
          all.records.begin() + static_cast<std::ptrdiff_t>(known + present.known.records));
      std::uint64_t offset = 0, last = 0;
      for (const std::string& each : records) {
        must(std::memcmp(present.begin + offset, each.data(), each.size()) == 0, "they are what is in the file");
        last = offset;
        offset += each.size();
      }
      must(offset == present.known.bytes && last == present.known.last, "and nothing more");
      place = std::min<std::uint64_t>(place + offset, file_contents.size());
      known += records.size();
      expect_sorted(present, format, std::move(records));
    }
    must(known == all.records.size() && all.end == text.size(), "all of it was read");
  } catch (const bad_record& bad) {
    const std::string start = "'fuzz': the record at byte " + std::to_string(place) + " ";
    must(std::string_view(bad.what()).starts_with(start), "what can't be read is named with its place");
    const bool is_cut_off = std::string_view(bad.what()).find("is cut off") != std::string_view::npos;
    const bool is_whole = known < all.records.size();
    must(!is_cut_off || !is_whole, "what is whole is not called cut off");
    // A record of at most a quarter of the memory, less four pages around it, is never refused.
    must(!is_whole || all.records[known].size() + 4 * page > memory / 4, "what fits is not refused");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t head = 5;
  if (size < head) return -1;
  std::string text(reinterpret_cast<const char*>(data) + head, size - head);
  // Short inputs are repeated until they are long enough to be cut.
  const std::size_t repeated = 1 + data[1] / 16;
  const std::string once = text;
  for (std::size_t i = 1; i != repeated; ++i) text += once;
  const std::size_t memory = (4 + data[1] % 16) * page;  // a chunk needs four
  const std::uint64_t begin = std::min<std::uint64_t>(data[2], text.size());
  const std::uint64_t fixed_size = 1 + data[3] % 64, key_begin = data[4] % fixed_size;
  switch (data[0]) {
    case 'b': read(text, begin, memory, binary_records()); break;
    case 'f':
      read(text, begin, memory,
           fixed_records{
               .size = fixed_size, .key_begin = key_begin, .key_size = 1 + data[4] / 16 % (fixed_size - key_begin)});
      break;
    case 'l': read(text, begin, memory, text_lines()); break;
    case 'v': read(text, begin, memory, text_lines({parse_text_key("1V", {})}, std::nullopt)); break;
    case 'z': read(text, begin, memory, zero_lines({parse_text_key("2,2df", {})}, std::nullopt)); break;
    case 'n': read(text, begin, memory, text_lines({parse_text_key("1n", {})}, std::nullopt)); break;
    case 'k': read(text, begin, memory, text_lines({parse_text_key("2b,3.2r", {})}, static_cast<char>(data[3]))); break;
    default: return -1;
  }
  return 0;
}
