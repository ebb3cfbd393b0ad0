// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "reader.hpp"

#include "support/output.hpp"
#include "unicode_words.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>

namespace wordcount {
namespace {

constexpr std::size_t block_bytes = std::size_t{256} * 1024;
constexpr std::string_view standard_input = "-";

// Returns the place after the last byte that is in no word; 0 if all of the text is one word.
std::size_t after_last_separator(std::string_view text) {
  std::size_t at = text.size();
  while (at != 0 && in_word(text[at - 1])) --at;
  return at;
}

}  // namespace

reader::descriptor::~descriptor() {
  if (fd_ > STDIN_FILENO) ::close(fd_);
}

std::optional<text_block> reader::next() {
  if (done_) return std::nullopt;
  std::string block = std::move(carry_);
  carry_.clear();
  std::size_t used = block.size();
  block.resize(used + block_bytes);
  while (!fill(block, used)) {
    const std::size_t cut = words_ == word_kind::unicode ? last_sure_boundary(block) : after_last_separator(block);
    if (cut != 0) {
      carry_.assign(block, cut);
      block.resize(cut);
      return with_totals(std::move(block));
    }
    block.resize(2 * block.size());  // a word longer than the block
  }
  done_ = true;
  block.resize(used);
  if (used == 0 && read_ == totals{}) return std::nullopt;
  return with_totals(std::move(block));
}

text_block reader::with_totals(std::string text) { return {std::move(text), std::exchange(read_, {})}; }

// Reads until the block is full (false) or there is nothing left to read (true).
bool reader::fill(std::string& block, std::size_t& used) {
  while (used != block.size()) {
    if (file_.get() < 0) open_next();
    if (file_.get() < 0) return true;
    const auto count = [this](std::uint64_t bytes) {
      read_.bytes += bytes;
      progress_->bytes.fetch_add(bytes, std::memory_order_relaxed);
    };
    if (const std::uint64_t skipped = size_with_holes_ == 0 ? 0 : skip_hole(); skipped != 0) {
      count(skipped);
      block[used++] = '\n';  // a hole ends a word
      continue;
    }
    const ssize_t got = ::read(file_.get(), block.data() + used, block.size() - used);
    if (got > 0) {
      used += static_cast<std::size_t>(got);
      count(static_cast<std::uint64_t>(got));
      continue;
    }
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      fail(name_, errno);
    } else {
      ++read_.files;
      progress_->files.fetch_add(1, std::memory_order_relaxed);
    }
    file_ = descriptor();
    size_with_holes_ = 0;
    if (used != 0) block[used++] = '\n';  // the end of a file ends a word
  }
  return false;
}

// Skips the hole at the present place of the open file. @return its bytes; 0: there is none
std::uint64_t reader::skip_hole() const {
  const off_t position = ::lseek(file_.get(), 0, SEEK_CUR);
  const off_t data = ::lseek(file_.get(), position, SEEK_DATA);
  if (data >= 0) return static_cast<std::uint64_t>(data - position);
  const auto end = static_cast<off_t>(size_with_holes_);
  if (errno != ENXIO || position < 0 || end <= position) return 0;
  return ::lseek(file_.get(), end, SEEK_SET) == end ? static_cast<std::uint64_t>(end - position) : 0;
}

// Opens the next file that can be opened; none if all have been read.
void reader::open_next() {
  while (file_.get() < 0) {
    if (!pending_.empty()) {
      const std::filesystem::path path = std::move(pending_.back());
      pending_.pop_back();
      open(path, false);
    } else if (next_root_ != roots_.size()) {
      const std::string& root = roots_[next_root_++];
      if (root == standard_input) {
        name_ = root;
        file_ = descriptor(STDIN_FILENO);
      } else {
        open(root, true);
      }
    } else {
      return;
    }
  }
}

void reader::open(const std::filesystem::path& path, bool named) {
  // A file or a directory that was found in a directory may have been replaced by a link or a pipe
  // since.
  const int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (named ? 0 : O_NOFOLLOW | O_NONBLOCK);
  descriptor opened(::open(path.c_str(), flags));
  struct stat status {};
  if (opened.get() < 0 || ::fstat(opened.get(), &status) != 0) {
    fail(path, errno);
  } else if (S_ISDIR(status.st_mode)) {
    list(path);
  } else if (named || S_ISREG(status.st_mode)) {
    name_ = path;
    file_ = std::move(opened);
    constexpr blkcnt_t of_a_block = 512;  // bytes, on every file system
    if (S_ISREG(status.st_mode) && status.st_blocks < status.st_size / of_a_block)
      size_with_holes_ = static_cast<std::uint64_t>(status.st_size);
  }
}

// Puts the entries of the directory in front of all pending paths, in the order of names.
void reader::list(const std::filesystem::path& directory) {
  std::error_code error;
  std::vector<std::filesystem::path> found;
  for (std::filesystem::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    std::error_code vanished;  // if set, opening the file reports the error
    const auto type = at->symlink_status(vanished).type();
    if (vanished || type == std::filesystem::file_type::regular || type == std::filesystem::file_type::directory) {
      found.push_back(at->path());
    }
  }
  if (error) fail(directory, error.value());
  std::sort(found.begin(), found.end(), std::greater<>());
  pending_.insert(pending_.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
}

void reader::fail(const std::filesystem::path& path, int error) {
  ++read_.unreadable;
  complain_(fmt::format("can't read {}: {}",
                        path == standard_input ? "standard input" : weir::support::quoted_name(path.native()),
                        std::generic_category().message(error)));
}

std::optional<std::uint64_t> bytes_in(const std::vector<std::string>& roots, const std::stop_token& stop) {
  namespace fs = std::filesystem;
  std::uint64_t all = 0;
  for (const std::string& root : roots) {
    struct stat about {};
    const bool is_standard = root == standard_input;
    if ((is_standard ? ::fstat(STDIN_FILENO, &about) : ::stat(root.c_str(), &about)) != 0) continue;
    if (S_ISREG(about.st_mode)) {
      const off_t begun = is_standard ? ::lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
      all += static_cast<std::uint64_t>(std::max<off_t>(0, about.st_size - begun));
      continue;
    }
    if (!S_ISDIR(about.st_mode)) return std::nullopt;
    std::error_code error;
    fs::recursive_directory_iterator at(root, fs::directory_options::skip_permission_denied, error);
    for (const fs::recursive_directory_iterator end; !error && at != end; at.increment(error)) {
      if (stop.stop_requested()) return std::nullopt;
      std::error_code vanished;
      if (at->symlink_status(vanished).type() != fs::file_type::regular) continue;
      const std::uintmax_t size = at->file_size(vanished);
      if (!vanished) all += size;
    }
  }
  return all;
}

}  // namespace wordcount
