// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
//
//     line = [ "!" ] glob [ "/" ]        "!": not ignored; a slash at the end: directories only
//
// Empty lines and lines that begin with `#` are ignored, and so are spaces at the end without a
// backslash in front. A glob with a slash before its end stands for a path relative to the
// directory of the file; any other glob stands for a name at any depth. A component `**` stands for
// any number of directories, and at the end of a glob for all that is inside.

#include "ignore_rules.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace filesearch {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string_view without_trailing_spaces(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool escapes = line[i] == '\\' && i + 1 != line.size();
    if (escapes) ++i;
    if (escapes || line[i] != ' ') kept = i + 1;
  }
  return line.substr(0, kept);
}

}  // namespace

ignore_rules::ignore_rules(std::string_view text) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  for (const std::string_view line : split(text, '\n')) {
    if (!line.starts_with('#')) add(without_trailing_spaces(line));
  }
}

void ignore_rules::add(std::string_view line) {
  rule made{{}, true, false};
  if (line.starts_with('!')) {
    made.ignore = false;
    line.remove_prefix(1);
  }
  if (line.ends_with('/')) {
    made.only_directories = true;
    line.remove_suffix(1);
  }
  if (line.empty()) return;
  const bool anchored = line.find('/') != std::string_view::npos;
  if (line.starts_with('/')) line.remove_prefix(1);
  if (!anchored) made.components.push_back(component_of("**"));
  for (const std::string_view part : split(line, '/')) made.components.push_back(component_of(part));
  rules_.push_back(std::move(made));
}

ignore_rules::component ignore_rules::component_of(std::string_view glob) {
  return {std::string(glob), glob == "**", glob.find_first_of("*?[\\") == std::string_view::npos};
}

std::optional<bool> ignore_rules::ignores(std::string_view path, bool directory) const {
  if (rules_.empty()) return std::nullopt;
  parts names;
  for (const std::string_view part : split(path, '/')) names.emplace_back(part);
  const auto last = std::find_if(rules_.rbegin(), rules_.rend(), [&](const rule& one) {
    return (directory || !one.only_directories) && matches(one.components, 0, names, 0);
  });
  if (last == rules_.rend()) return std::nullopt;
  return last->ignore;
}

bool ignore_rules::matches(const std::vector<component>& globs, std::size_t glob, const parts& path, std::size_t part) {
  for (; glob != globs.size(); ++glob, ++part) {
    const component& one = globs[glob];
    if (one.any_depth) {
      if (glob + 1 == globs.size()) return part < path.size();
      for (std::size_t from = part; from < path.size(); ++from) {
        if (matches(globs, glob + 1, path, from)) return true;
      }
      return false;
    }
    if (part == path.size()) return false;
    const bool same = one.literal ? one.glob == path[part] : ::fnmatch(one.glob.c_str(), path[part].c_str(), 0) == 0;
    if (!same) return false;
  }
  return part == path.size();
}

}  // namespace filesearch
