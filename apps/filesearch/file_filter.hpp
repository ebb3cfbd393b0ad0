// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace filesearch {

/// Which files and directories to look into: the globs of `--include`, `--exclude` and
/// `--exclude-dir`. Of several that match, the last one counts; where none matches, a file is left
/// out if the first one is an `--include`.
class file_filter {
 public:
  void include(std::string glob) { files_.push_back({std::move(glob), true}); }
  void exclude(std::string glob) { files_.push_back({std::move(glob), false}); }
  void exclude_directory(std::string glob);

  /// By its name, when it was found in a directory.
  bool takes_file(const std::string& name) const;
  bool takes_directory(const std::string& name) const;

  /// By the path it was named with: a glob may match all of it, or what follows a slash.
  bool takes_named_file(const std::string& path) const;
  bool takes_named_directory(const std::string& path) const;

 private:
  struct rule {
    std::string glob;
    bool include;
  };
  template <class Matches>
  static bool takes(const std::vector<rule>& rules, Matches&& matches);

  std::vector<rule> files_;
  std::vector<rule> directories_;
};

}  // namespace filesearch
