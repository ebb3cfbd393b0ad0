// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "walk.hpp"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

namespace filesearch {
namespace {

constexpr std::size_t most_in_batch = 32;
// A batch is this part of what was found before.
constexpr std::size_t batches_before = 16;

struct closer {
  void operator()(DIR* directory) const noexcept { ::closedir(directory); }
};

bool is_directory(const std::string& path) {
  struct stat status {};
  return path != "-" && ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

}  // namespace

void walk::start() {
  next_root_ = 0;
  files_ = 0;
  pending_.clear();
  found_ = {};
  // Here, and not where the arguments are read: where others search, the files need not be there.
  const auto& roots = chosen_->roots;
  const bool several = roots.size() > 1 || (chosen_->recursive && !roots.empty() && is_directory(roots.front()));
  file_names_ = chosen_->file_names.value_or(several);
  std::error_code unknown;
  directory_ = std::filesystem::current_path(unknown).native();
}

std::optional<batch> walk::next() {
  const std::size_t most = std::clamp<std::size_t>(files_ / batches_before, 1, most_in_batch);
  batch made{.directory = directory_, .file_names = file_names_};
  while (made.files.size() != most) {
    auto file = next_file();
    if (!file) break;
    made.files.push_back(*std::move(file));
    if (made.files.back().text) break;
  }
  files_ += made.files.size();
  made.found = std::exchange(found_, {});
  if (made.files.empty() && made.found == outcome{}) return std::nullopt;
  return made;
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
  if (root == "-" && for_others_) return standard_input();
  if (!chosen_->recursive || !is_directory(root)) return found_file{root, true};
  if (!chosen_->working_directory && !chosen_->filter.takes_named_directory(root)) return std::nullopt;
  std::string path = root;
  while (path.size() > 1 && path.ends_with("//")) path.pop_back();
  list(path);
  return std::nullopt;
}

// With all that is in it.
std::optional<found_file> walk::standard_input() {
  constexpr std::size_t piece = std::size_t{256} * 1024;
  std::string text;
  for (;;) {
    const std::size_t before = text.size();
    text.resize(before + piece);
    const ssize_t got = ::read(STDIN_FILENO, text.data() + before, piece);
    const int problem = errno;
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && problem == EINTR) continue;
    if (got >= 0 && text.size() <= largest_input) {
      if (got != 0) continue;
      return found_file{"-", true, std::move(text)};
    }
    report_error(found_, standard_input_name, got < 0 ? problem : EFBIG, chosen_->no_messages);
    return std::nullopt;
  }
}

// Puts what is in the directory in front of all that is pending.
void walk::list(const std::string& directory) {
  const std::unique_ptr<DIR, closer> open(::opendir(directory.c_str()));
  if (open == nullptr) return report_error(found_, directory, errno, chosen_->no_messages);
  const bool implied = chosen_->working_directory && directory == ".";
  const std::string prefix = implied ? "" : directory.ends_with('/') ? directory : directory + '/';
  listed_.clear();
  for (;;) {
    errno = 0;
    const dirent* const one = ::readdir(open.get());
    if (one == nullptr) {
      if (errno != 0) report_error(found_, directory, errno, chosen_->no_messages);
      break;
    }
    std::string name = one->d_name;
    if (name == "." || name == "..") continue;
    unsigned char type = one->d_type;
    std::string path = prefix + name;
    if (type == DT_UNKNOWN) {
      struct stat status {};
      if (::lstat(path.c_str(), &status) != 0) {
        report_error(found_, path, errno, chosen_->no_messages);
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
