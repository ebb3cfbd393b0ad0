// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "file_filter.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <utility>

namespace filesearch {
namespace {

std::string without_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

bool matches_whole(const std::string& glob, const std::string& name) {
  return ::fnmatch(glob.c_str(), name.c_str(), 0) == 0;
}

bool matches_end(const std::string& glob, const std::string& path) {
  if (matches_whole(glob, path)) return true;
  for (std::size_t at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1)) {
    if (at + 1 < path.size() && path[at + 1] != '/' && matches_whole(glob, path.substr(at + 1))) return true;
  }
  return false;
}

}  // namespace

void file_filter::exclude_directory(std::string glob) {
  directories_.push_back({without_slashes(std::move(glob)), false});
}

template <class Matches>
bool file_filter::takes(const std::vector<rule>& rules, Matches&& matches) {
  if (rules.empty()) return true;
  const auto last = std::find_if(rules.rbegin(), rules.rend(), [&](const rule& one) { return matches(one.glob); });
  return last == rules.rend() ? !rules.front().include : last->include;
}

bool file_filter::takes_file(const std::string& name) const {
  return takes(files_, [&](const std::string& glob) { return matches_whole(glob, name); });
}

bool file_filter::takes_directory(const std::string& name) const {
  return takes(directories_, [&](const std::string& glob) { return matches_whole(glob, name); });
}

bool file_filter::takes_named_file(const std::string& path) const {
  return takes(files_, [&](const std::string& glob) { return matches_end(glob, path); });
}

bool file_filter::takes_named_directory(const std::string& path) const {
  return takes(directories_, [&](const std::string& glob) { return matches_end(glob, path); });
}

}  // namespace filesearch
