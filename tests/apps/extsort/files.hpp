// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/generate.hpp"
#include "core/records.hpp"
#include "core/sort_file.hpp"
#include "file_text.hpp"
#include "temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace extsort {

/// A temporary folder, which the destructor removes.
class folder {
 public:
  explicit folder(const std::filesystem::path& in = testing::TempDir()) : made_(in) {}

  std::string file(const std::string& name) const { return made_.path() / name; }
  std::string path() const { return made_.path(); }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(made_.path()), std::filesystem::directory_iterator()));
  }
  void write(const std::string& name, std::string_view text) const {
    std::ofstream(file(name), std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
  }
  std::string read(const std::string& name) const { return weir_test::file_text(file(name)); }

 private:
  weir_test::temporary_folder made_;
};

inline std::string binary_record(std::uint64_t key, std::string_view payload) {
  std::string made(binary_records::head, '\0');
  const auto length = static_cast<std::uint32_t>(payload.size());
  std::memcpy(made.data(), &key, sizeof key);
  std::memcpy(made.data() + 8, &length, sizeof length);
  return made.append(payload);
}

/// Returns the result of a stable sort of the records in memory.
template <class Format>
std::string sorted_in_memory(const std::string& text, const Format& format) {
  std::vector<record_view> all;
  const auto* const begin = reinterpret_cast<const std::byte*>(text.data());
  for (std::uint64_t at = 0; at != text.size();) {
    const std::uint64_t size = format.size_of(begin + at, text.size() - at);
    all.emplace_back(begin + at, size);
    at += size;
  }
  std::ranges::stable_sort(all, [&](record_view a, record_view b) { return format.compare(a, b) < 0; });
  std::string made;
  for (const record_view each : all) made.append(reinterpret_cast<const char*>(each.data()), each.size());
  return made;
}

/// Returns all bytes that `recgen` would write.
inline std::string generated(const generator_setup& setup) {
  std::string made;
  for (std::uint64_t block = 0; block * records_in_block < setup.records; ++block) {
    const std::vector<std::byte> some = generate_block(setup, block);
    made.append(reinterpret_cast<const char*>(some.data()), some.size());
  }
  return made;
}

/// Returns lines of up to `longest` characters of `kinds` kinds; some of the characters are blanks.
inline std::string random_text(std::uint64_t bytes, unsigned kinds, std::size_t longest) {
  std::mt19937 random(11);
  std::string made;
  while (made.size() < bytes) {
    for (std::size_t left = random() % (longest + 1); left != 0; --left)
      made += static_cast<char>(random() % kinds < kinds - 2 ? 'a' + random() % kinds : " \t"[random() % 2]);
    made += '\n';
  }
  return made;
}

}  // namespace extsort
