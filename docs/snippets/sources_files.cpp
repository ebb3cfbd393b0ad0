// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test: LICENSE
// test-output: [0-9]+ lines, as many newlines./read: can't read

#include <weir/io/chunks.hpp>
#include <weir/io/collect.hpp>
#include <weir/io/lines.hpp>
#include <weir/io/walk.hpp>
#include <weir/io/write_chunks.hpp>
#include <weir/io/write_lines.hpp>
#include <weir/item/buffer.hpp>
#include <weir/weir.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

int main(int, char** argv) {
  const std::string path = argv[1];
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "weir_sources_files";
  std::filesystem::create_directories(folder);
  const std::string copy = folder / "copy.gz";

  // Lines in, lines out. The new file gets its name only when it is complete.
  weir::run(weir::lines(path) | weir::write_lines(copy, {.compress = weir::compression::gzip}));

  long lines = 0;
  weir::run(weir::lines(copy) | weir::sink([&](std::string) { ++lines; }));  // decompressed by its content

  // Chunks of whole lines cost less than lines: the workers of a farm cut them up.
  auto newlines = weir::farm([](weir::buffer chunk) { return std::ranges::count(chunk.text(), '\n'); }, 2);
  long found = 0;
  weir::run(weir::line_chunks({path, copy}) | newlines | weir::sink([&](long count) { found += count; }));
  std::cout << lines << " lines, " << (found == 2 * lines ? "as many newlines" : "and other newlines") << '\n';

  // The bytes as they are.
  weir::run(weir::chunks(path, 64 * 1024) | weir::write_chunks(folder / "copy"));

  // All regular files below a directory, in order; files that can't be read are reported and left
  // out.
  std::vector<std::filesystem::path> files;
  weir::walk_options options{.sorted = true};
  options.on_error = [](const auto& where, const std::error_code& problem) {
    std::cout << "left out: " << where << ", " << problem.message() << '\n';
  };
  weir::run(weir::walk(folder, options) | weir::collect(files));

  std::filesystem::remove_all(folder);
  try {
    weir::run(weir::lines(copy).named("read") | weir::sink([](std::string) {}));
  } catch (const weir::node_error& error) {
    std::cout << error.what() << '\n';
  }
}
