// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace filesearch {

/// The rules of one `.gitignore` file, with the meaning that git defines: globs for paths below the
/// directory of the file, of which the last match counts. Files in an ignored directory are never
/// looked at, and paths are therefore matched as a whole.
class ignore_rules {
 public:
  ignore_rules() = default;
  /// @param text contents of the file
  explicit ignore_rules(std::string_view text);

  /// Returns whether a path is ignored; none if no line matches it.
  /// @param path relative to the directory of the file, without a slash at either end
  std::optional<bool> ignores(std::string_view path, bool directory) const;

 private:
  // A part of a glob between slashes.
  struct component {
    std::string glob;
    bool any_depth;  // `**`: any number of directories
    bool literal;    // no character has a special meaning
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
