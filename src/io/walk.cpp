// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "weir/io/walk.hpp"

#include "weir/io/from.hpp"

#include "io/descriptor.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

namespace weir {
namespace {

namespace fs = std::filesystem;

class walker {
 public:
  walker(std::vector<fs::path> roots, walk_options options) : roots_(std::move(roots)), options_(std::move(options)) {}

  void start() {
    entered_.clear();
    pending_.assign(roots_.rbegin(), roots_.rend());
    roots_left_ = roots_.size();
  }

  std::optional<fs::path> next() {
    while (!pending_.empty()) {
      fs::path path = std::move(pending_.back());
      pending_.pop_back();
      const bool is_root = pending_.size() < roots_left_;
      if (is_root) --roots_left_;
      if (is_file(path, is_root || options_.follow_links)) return path;
    }
    return std::nullopt;
  }

  void finish() {
    pending_.clear();
    entered_.clear();
  }

 private:
  // Returns whether it is a regular file. Adds the entries of a directory to `pending_`.
  bool is_file(const fs::path& path, bool follow) {
    struct stat status {};
    if ((follow ? ::stat(path.c_str(), &status) : ::lstat(path.c_str(), &status)) != 0) {
      fail(path, std::error_code(errno, std::generic_category()));
    } else if (S_ISREG(status.st_mode)) {
      return true;
    } else if (S_ISDIR(status.st_mode) &&
               (!options_.follow_links || entered_.emplace(status.st_dev, status.st_ino).second)) {
      list(path);
    }
    return false;
  }

  void list(const fs::path& directory) {
    std::error_code problem;
    std::vector<fs::path> found;
    for (fs::directory_iterator at(directory, problem), end; !problem && at != end; at.increment(problem)) {
      found.push_back(at->path());
    }
    if (problem) fail(directory, problem);
    if (options_.sorted) std::sort(found.begin(), found.end(), std::greater<>());
    pending_.insert(pending_.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
  }

  void fail(const fs::path& path, const std::error_code& problem) {
    if (!options_.on_error) {
      throw std::system_error(problem, "can't read " + io::shown(path.native(), "'-'"));
    }
    options_.on_error(path, problem);
  }

  std::vector<fs::path> roots_;
  walk_options options_;
  std::vector<fs::path> pending_;  // the last one is next; the first `roots_left_` are roots
  std::size_t roots_left_ = 0;
  std::set<std::pair<dev_t, ino_t>> entered_;  // directories, which links may reach again
};

}  // namespace

block<void, fs::path> walk(std::vector<fs::path> roots, walk_options options) {
  return detail::source_of_kind<false>("walk", walker(std::move(roots), std::move(options))).blocking();
}
block<void, fs::path> walk(fs::path root, walk_options options) {
  return walk(std::vector{std::move(root)}, std::move(options));
}

}  // namespace weir
