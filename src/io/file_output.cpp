// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "io/file_output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <utility>

namespace weir::io {
namespace {

namespace fs = std::filesystem;

std::string cant_write(const std::string& name) { return "can't write " + shown(name, "standard output"); }

// Follows the links of a name, even if the last target does not exist yet.
std::string end_of_links(const std::string& name) {
  constexpr int most_links = 40;  // the limit of the kernel
  std::error_code none;
  fs::path path = name;
  for (int links = 0; fs::is_symlink(fs::symlink_status(path, none)); ++links) {
    if (links == most_links) {
      errno = ELOOP;
      fail_with_errno(cant_write(name));
    }
    path = path.parent_path() / fs::read_symlink(path, none);
  }
  const fs::path target = fs::weakly_canonical(path, none);
  return none ? path.native() : target.native();
}

// A pipe that is ready accepts this many bytes without blocking (POSIX, PIPE_BUF).
constexpr std::size_t atomic_bytes = 4096;

}  // namespace

file_output::file_output(std::string name, const write_options& options, const std::shared_ptr<node_waker>& waker)
    : name_(std::move(name)), encoder_(encoder_for(options.compress, options.level)) {
  std::error_code none;
  if (name_ == "-") {
    file_ = descriptor(STDOUT_FILENO);
  } else if (name_.starts_with("/dev/") || name_.starts_with("/proc/") ||
             (fs::exists(name_, none) && !fs::is_regular_file(name_, none))) {
    file_ = descriptor(::open(name_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY));
    if (file_.get() < 0) fail_with_errno(cant_write(name_));
  } else {
    open_beside();
  }
  struct stat status {};
  if (::fstat(file_.get(), &status) != 0) fail_with_errno(cant_write(name_));
  if (!S_ISREG(status.st_mode)) watch_ = watch::of(file_.get(), direction::out, waker);
}

file_output::~file_output() {
  if (!unfinished_.empty()) ::unlink(unfinished_.c_str());
}

void file_output::open_beside() {
  static std::atomic<unsigned> opened{0};
  constexpr int attempts = 100;
  std::error_code none;
  const fs::path target = fs::canonical(name_, none);
  const bool exists = !none;
  path_ = exists ? target.native() : name_;
  if (!exists && fs::is_symlink(fs::symlink_status(name_, none))) {
    path_ = end_of_links(name_);
  }
  for (int left = attempts; file_.get() < 0; --left) {
    // If a name with this process' id is taken, an earlier process with the same id ended without
    // removing it.
    unfinished_ = path_ + "." + std::to_string(::getpid()) + "." +
                  std::to_string(opened.fetch_add(1, std::memory_order_relaxed)) + ".unfinished";
    file_ = descriptor(::open(unfinished_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file_.get() >= 0) break;
    unfinished_.clear();
    if (errno != EEXIST || left == 0) fail_with_errno(cant_write(name_));
  }
  struct stat before {};
  if (exists && (::stat(path_.c_str(), &before) != 0 || ::fchmod(file_.get(), before.st_mode & 07777) != 0)) {
    const int problem = errno;
    ::unlink(std::exchange(unfinished_, {}).c_str());
    errno = problem;
    fail_with_errno(cant_write(name_));
  }
}

void file_output::add(std::string_view bytes) {
  if (encoder_ == nullptr) return output::add(bytes);
  encoder_->encode(std::as_bytes(std::span(bytes)), waiting_);
}

void file_output::end() {
  if (encoder_ != nullptr) encoder_->end(waiting_);
}

bool file_output::flush() {
  while (written_ != waiting_.size()) {
    std::size_t most = waiting_.size() - written_;
    if (watch_) {
      if (!watch_->ready()) return false;
      most = std::min(most, atomic_bytes);
    }
    const ssize_t wrote = ::write(file_.get(), waiting_.data() + written_, most);
    if (wrote >= 0) {
      written_ += static_cast<std::size_t>(wrote);
    } else if (errno != EINTR && !(errno == EAGAIN && watch_)) {
      fail_with_errno(cant_write(name_));
    }
  }
  waiting_.clear();
  written_ = 0;
  return true;
}

void file_output::commit() {
  if (!file_.close()) fail_with_errno(cant_write(name_));
  if (unfinished_.empty()) return;
  if (std::rename(unfinished_.c_str(), path_.c_str()) != 0) fail_with_errno(cant_write(name_));
  unfinished_.clear();
}

}  // namespace weir::io
