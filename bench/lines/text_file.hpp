// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../harness.hpp"

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>

namespace weir_bench {

/// A file of `count` lines of `bytes` bytes each, not counting the newline. It is in the page
/// cache. The destructor removes it.
class text_file {
 public:
  text_file(std::int64_t count, std::int64_t bytes)
      : path_(std::filesystem::temp_directory_path() / ("weir_lines_" + std::to_string(::getpid()))) {
    const std::string line = std::string(static_cast<std::size_t>(bytes), 'x') + "\n";
    std::FILE* file = std::fopen(path_.c_str(), "w");
    for (std::int64_t n = 0; file != nullptr && n != count; ++n) std::fwrite(line.data(), 1, line.size(), file);
    if (file == nullptr || std::fclose(file) != 0) {
      std::perror(path_.c_str());
      std::exit(1);
    }
  }
  text_file(const text_file&) = delete;
  text_file& operator=(const text_file&) = delete;
  ~text_file() { std::filesystem::remove(path_); }

  std::string path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Reads the arguments and measures `bytes_of(path)`, which reads the lines and returns the number
/// of bytes in them.
template <class Read>
int lines_main(int argc, char** argv, const char* contender, Read&& bytes_of) {
  const options given(argc, argv, {{"items", 5'000'000}, {"bytes", 80}, {"how", 0}});
  const std::int64_t count = given["items"];
  const text_file file(count, given["bytes"]);
  bytes_of(file.path(), given);
  const stopwatch watch;
  const std::int64_t bytes = bytes_of(file.path(), given);
  const duration took = watch.elapsed();
  verify("number of bytes", bytes, count * given["bytes"]);
  print_result("lines", contender, count, took,
               {{"ns_per_line", static_cast<double>(took.wall_ns) / static_cast<double>(count)},
                {"gb_per_s", static_cast<double>(bytes + count) / static_cast<double>(took.wall_ns)}});
  return 0;
}

}  // namespace weir_bench
