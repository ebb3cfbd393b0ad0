// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
// test: docs LICENSE
// test-output: longest line.*lines in [0-9]+ files

// Files in and files out. A directory is walked, a farm reads its files, including compressed ones,
// and the results are written to a compressed file, which appears only once it is complete. That
// file is then read again.

#include <weir/io/collect.hpp>
#include <weir/io/lines.hpp>
#include <weir/io/walk.hpp>
#include <weir/io/write_lines.hpp>
#include <weir/weir.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

namespace {

struct summary {
  std::string path;
  std::uint64_t lines;
  std::size_t longest;  // bytes

  std::string text() const { return std::to_string(longest) + ' ' + std::to_string(lines) + ' ' + path; }
};

// Runs a network of its own in each call: networks may run inside nodes.
summary summarised(std::filesystem::path path) {
  summary made{path, 0, 0};
  weir::run(weir::lines(path) | weir::sink([&](std::string line) {
              ++made.lines;
              made.longest = std::max(made.longest, line.size());
            }));
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: 09_files DIRECTORY...\n";
    return 2;
  }
  const std::string out = std::filesystem::temp_directory_path() / "weir_09_files.zst";
  try {
    weir::run(weir::walk({argv + 1, argv + argc}).named("walk") | weir::farm(&summarised).named("summarise") |
              weir::node([](summary file) { return file.text(); }).named("print") |
              weir::write_lines(out, {.compress = weir::compression::zstd}).named("write"));

    std::vector<std::string> files;
    weir::run(weir::lines(out).named("read") | weir::collect(files));
    std::uint64_t lines = 0;
    std::size_t longest = 0;
    for (const std::string& file : files) {
      longest = std::max<std::size_t>(longest, std::stoul(file));
      lines += std::stoul(file.substr(file.find(' ') + 1));
    }
    std::cout << "longest line: " << longest << " bytes\n" << lines << " lines in " << files.size() << " files\n";
    std::filesystem::remove(out);
  } catch (const weir::node_error& error) {
    std::cerr << "09_files: " << error.what() << '\n';
    return 1;
  }
  if (std::cout.flush()) return 0;
  std::cerr << "09_files: can't write standard output\n";
  return 1;
}
