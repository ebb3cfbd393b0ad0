// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace filesearch {

/// Selects files and directories by the globs of `--include`, `--exclude` and `--exclude-dir`. If
/// several globs match, the last one counts. If none matches, a file is left out if the first glob
/// is an `--include`.
class file_filter {
 public:
  void include(std::string glob) { files_.push_back({std::move(glob), true}); }
  void exclude(std::string glob) { files_.push_back({std::move(glob), false}); }
  void exclude_directory(std::string glob);

  /// Decides by the name of a file that was found in a directory.
  bool takes_file(const std::string& name) const;
  bool takes_directory(const std::string& name) const;

  /// Decides by the path that was given as an argument: a glob may match all of it, or the part
  /// behind a slash.
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
