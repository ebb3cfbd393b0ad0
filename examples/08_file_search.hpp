// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The three nodes of F2's figure 2, which searches files for a text. 08a and 08b combine them in
// two ways.

#include <weir/weir.hpp>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

namespace file_search {

struct found {
  std::filesystem::path file;
  std::size_t lines;  // number of lines that contain the text
};

/// Sends the files in a comma-separated list of directories.
struct reader {
  std::string directories;

  void run(weir::outlet<std::filesystem::path>& files) {
    std::istringstream list(directories);
    for (std::string directory; std::getline(list, directory, ',');) {
      for (const auto& entry : std::filesystem::directory_iterator(directory)) {
        if (entry.is_regular_file()) files.send(entry.path());
      }
    }
  }
};

/// Searches one file, and sends the result if there is one.
struct worker {
  std::string text;

  std::optional<found> process(std::filesystem::path file) {
    std::ifstream in(file);
    std::size_t lines = 0;
    for (std::string line; std::getline(in, line);) {
      if (line.find(text) != std::string::npos) ++lines;
    }
    if (lines == 0) return std::nullopt;
    return found{std::move(file), lines};
  }
};

/// Prints all results at the end.
struct writer {
  std::size_t files = 0;
  std::ostringstream listing{};

  void process(found f) {
    ++files;
    listing << f.file.string() << ": " << f.lines << '\n';
  }
  void finish() { std::cout << listing.str() << files << " files\n"; }
};

}  // namespace file_search
