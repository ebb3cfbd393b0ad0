// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "walk.hpp"

#include "support/output.hpp"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

namespace filesearch {
namespace {

constexpr std::size_t most_in_batch = 32;
// A batch has this part of the number of files found before.
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
  // Looked up here and not when the arguments are read: on machines that only search, the files
  // need not exist.
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
      const directory_entry next = std::move(pending_.back());
      pending_.pop_back();
      if (!next.directory) return found_file{next.path, false};
      list(next.path, next.around);
    } else if (next_root_ != chosen_->roots.size()) {
      if (auto file = named_file(chosen_->roots[next_root_++])) return file;
    } else {
      return std::nullopt;
    }
  }
}

// Returns the root if it is a file, and lists it if it is a directory to be searched.
std::optional<found_file> walk::named_file(const std::string& root) {
  if (root == "-" && for_others_) return standard_input();
  if (!chosen_->recursive || !is_directory(root)) return found_file{root, true};
  if (!chosen_->working_directory && !chosen_->filter.takes_named_directory(root)) return std::nullopt;
  std::string path = root;
  while (path.size() > 1 && path.ends_with("//")) path.pop_back();
  list(path, nullptr);
  return std::nullopt;
}

// Returns standard input with its contents.
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

// Puts the entries of a directory in front of all pending entries.
void walk::list(const std::string& directory, folders around) {
  const std::unique_ptr<DIR, closer> open(::opendir(directory.c_str()));
  if (open == nullptr) return report_error(found_, directory, errno, chosen_->no_messages);
  const bool implied = chosen_->working_directory && directory == ".";
  struct stat status {};
  if (::fstat(::dirfd(open.get()), &status) != 0) return report_error(found_, directory, errno, chosen_->no_messages);
  for (const folder* outer = chosen_->follow ? around.get() : nullptr; outer != nullptr; outer = outer->around.get()) {
    if (outer->device != status.st_dev || outer->inode != status.st_ino) continue;
    if (!chosen_->no_messages) weir::support::complain("filesearch", directory + ": warning: recursive directory loop");
    return;
  }
  const auto here = std::make_shared<folder>(folder{
      .around = std::move(around),
      .prefix = implied                    ? ""
                : directory.ends_with('/') ? directory
                                           : directory + '/',
      .device = status.st_dev,
      .inode = status.st_ino,
      .ignored = {},
  });
  if (chosen_->ignore_files) here->ignored = read_rules(here->prefix + ".gitignore");
  listed_.clear();
  for (;;) {
    errno = 0;
    const dirent* const one = ::readdir(open.get());
    if (one == nullptr) {
      if (errno != 0) report_error(found_, directory, errno, chosen_->no_messages);
      break;
    }
    const std::string name = one->d_name;
    if (name == "." || name == "..") continue;
    std::string path = here->prefix + name;
    const auto type = type_of(path, one->d_type);
    if (!type || (*type != DT_DIR && *type != DT_REG)) continue;
    directory_entry found{std::move(path), *type == DT_DIR, *type == DT_DIR ? here : nullptr};
    if (takes(name, found, *here)) listed_.push_back(std::move(found));
  }
  if (chosen_->sorted) {
    std::sort(listed_.begin(), listed_.end(),
              [](const directory_entry& a, const directory_entry& b) { return a.path > b.path; });
  }
  pending_.insert(pending_.end(), std::make_move_iterator(listed_.begin()), std::make_move_iterator(listed_.end()));
}

// Returns the type of a directory's entry, or of its target if links are followed; none if the
// entry can't be searched.
std::optional<unsigned char> walk::type_of(const std::string& path, unsigned char listed) {
  struct stat status {};
  if (listed == DT_UNKNOWN) {
    if (::lstat(path.c_str(), &status) != 0) {
      report_error(found_, path, errno, chosen_->no_messages);
      return std::nullopt;
    }
    listed = static_cast<unsigned char>(IFTODT(status.st_mode));
  }
  if (listed != DT_LNK || !chosen_->follow) return listed;
  if (::stat(path.c_str(), &status) != 0) return DT_REG;  // the searcher that opens the file reports the error
  return static_cast<unsigned char>(IFTODT(status.st_mode));
}

bool walk::takes(const std::string& name, const directory_entry& one, const folder& in) const {
  if (!(one.directory ? chosen_->filter.takes_directory(name) : chosen_->filter.takes_file(name))) return false;
  if (!chosen_->ignore_files) return true;
  if (one.directory && name == ".git") return false;
  // The rules of the nearest file that match the path count.
  for (const folder* outer = &in; outer != nullptr; outer = outer->around.get()) {
    const std::string_view inside = std::string_view(one.path).substr(outer->prefix.size());
    if (const auto ignored = outer->ignored.ignores(inside, one.directory)) return !*ignored;
  }
  return true;
}

ignore_rules walk::read_rules(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file) report_error(found_, path, errno == 0 ? EIO : errno, chosen_->no_messages);
  return ignore_rules(text);
}

}  // namespace filesearch
