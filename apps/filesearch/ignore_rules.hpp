// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace filesearch {

/// The lines of one `.gitignore` file, with git's meaning: globs for paths below the directory that
/// holds the file, of which the last that matches counts. What is in an ignored directory needs no
/// look, so paths are matched as a whole.
class ignore_rules {
 public:
  ignore_rules() = default;
  /// @param text of the file
  explicit ignore_rules(std::string_view text);

  /// Whether a path is ignored; none if no line matches it.
  /// @param path from the directory of the file on, without a slash at either end
  std::optional<bool> ignores(std::string_view path, bool directory) const;

 private:
  // A part of a glob between slashes.
  struct component {
    std::string glob;
    bool any_depth;  // `**`: any number of directories
    bool literal;    // no character has a meaning
  };
  struct rule {
    std::vector<component> components;
    bool ignore;
    bool only_directories;
  };
  using parts = std::vector<std::string>;

  void add(std::string_view line);
  static component component_of(std::string_view glob);
  static bool matches(const std::vector<component>& globs, std::size_t glob, const parts& path, std::size_t part);

  std::vector<rule> rules_;
};

}  // namespace filesearch
