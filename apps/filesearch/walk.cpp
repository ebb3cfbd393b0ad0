// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "walk.hpp"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>

namespace filesearch {
namespace {

constexpr std::size_t most_in_batch = 32;
// A batch is this part of what was found before.
constexpr std::size_t batches_before = 16;

struct closer {
  void operator()(DIR* directory) const noexcept { ::closedir(directory); }
};

}  // namespace

void walk::start() {
  next_root_ = 0;
  files_ = 0;
  pending_.clear();
}

std::optional<batch> walk::next() {
  const std::size_t most = std::clamp<std::size_t>(files_ / batches_before, 1, most_in_batch);
  batch files;
  while (files.size() != most) {
    auto file = next_file();
    if (!file) break;
    files.push_back(*std::move(file));
  }
  files_ += files.size();
  if (files.empty()) return std::nullopt;
  return files;
}

std::optional<found_file> walk::next_file() {
  for (;;) {
    if (!pending_.empty()) {
      const entry next = std::move(pending_.back());
      pending_.pop_back();
      if (!next.directory) return found_file{next.path, false};
      list(next.path);
    } else if (next_root_ != chosen_->roots.size()) {
      if (auto file = named_file(chosen_->roots[next_root_++])) return file;
    } else {
      return std::nullopt;
    }
  }
}

// The file, if it is one, and not a directory to be searched.
std::optional<found_file> walk::named_file(const std::string& root) {
  struct stat status {};
  const bool directory =
      chosen_->recursive && root != "-" && ::stat(root.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
  if (!directory) return found_file{root, true};
  if (!chosen_->working_directory && !chosen_->filter.takes_named_directory(root)) return std::nullopt;
  std::string path = root;
  while (path.size() > 1 && path.ends_with("//")) path.pop_back();
  list(path);
  return std::nullopt;
}

// Puts what is in the directory in front of all that is pending.
void walk::list(const std::string& directory) {
  const std::unique_ptr<DIR, closer> open(::opendir(directory.c_str()));
  if (open == nullptr) return report_error(*found_, directory, errno, chosen_->no_messages);
  const bool implied = chosen_->working_directory && directory == ".";
  const std::string prefix = implied ? "" : directory.ends_with('/') ? directory : directory + '/';
  listed_.clear();
  for (;;) {
    errno = 0;
    const dirent* const one = ::readdir(open.get());
    if (one == nullptr) {
      if (errno != 0) report_error(*found_, directory, errno, chosen_->no_messages);
      break;
    }
    std::string name = one->d_name;
    if (name == "." || name == "..") continue;
    unsigned char type = one->d_type;
    std::string path = prefix + name;
    if (type == DT_UNKNOWN) {
      struct stat status {};
      if (::lstat(path.c_str(), &status) != 0) {
        report_error(*found_, path, errno, chosen_->no_messages);
        continue;
      }
      type = static_cast<unsigned char>(IFTODT(status.st_mode));
    }
    if (type == DT_DIR ? chosen_->filter.takes_directory(name) : type == DT_REG && chosen_->filter.takes_file(name)) {
      listed_.push_back({std::move(path), type == DT_DIR});
    }
  }
  if (chosen_->sorted) {
    std::sort(listed_.begin(), listed_.end(), [](const entry& a, const entry& b) { return a.path > b.path; });
  }
  pending_.insert(pending_.end(), std::make_move_iterator(listed_.begin()), std::make_move_iterator(listed_.end()));
}

}  // namespace filesearch
