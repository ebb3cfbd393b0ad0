// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "output_file.hpp"

#include "support/file_attributes.hpp"
#include "support/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace extsort {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& name) {
  throw std::system_error(errno, std::generic_category(), "can't write " + weir::support::quoted_name(name));
}

std::string folder_of(const std::string& name) {
  const std::string folder = fs::path(name).parent_path();
  return folder.empty() ? "." : folder;
}

// Returns a name that no other process on this machine uses.
std::string hidden_name(const std::string& name, int number) {
  return fmt::format("{}/.{}.{}-{}", folder_of(name), fs::path(name).filename().string(), ::getpid(), number);
}

}  // namespace

output_file::output_file(const std::string& name, bool direct, const std::string& directory, bool is_shared)
    : name_(name == "-" ? directory + "/standard output" : weir::support::target_of(name)), folder_(folder_of(name_)) {
  struct stat before {};
  const bool exists = name != "-" && ::stat(name_.c_str(), &before) == 0;
  if (exists && S_ISDIR(before.st_mode)) {
    errno = EISDIR;
    fail(name_);
  }
  if (exists && !S_ISREG(before.st_mode)) {
    throw std::runtime_error("can't write " + weir::support::quoted_name(name) +
                             ": it is no regular file, whose place another one could take once that is complete");
  }
  // A file that replaces another one is for its owner alone until it has the attributes of that
  // one.
  const mode_t mode = exists ? 0600 : 0666;
  int made = is_shared ? -1 : ::open(folder_.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, mode);
  if (made < 0 && (is_shared || errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
    for (int number = 0; made < 0; ++number) {
      const std::string hidden = hidden_name(name_, number);
      made = ::open(hidden.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
      if (made >= 0) unfinished_.name = hidden;
      if (made < 0 && errno != EEXIST) break;
    }
  }
  if (made < 0) fail(name_);
  edges_ = file(made, name_, false);
  if (exists) lost_ = weir::support::keep_attributes(name_, made);
  open_past_cache(made, direct);
}

output_file::output_file(existing, const std::string& name, const std::string& unfinished, bool direct)
    : name_(weir::support::target_of(name)), folder_(folder_of(name_)) {
  const int found = ::open(unfinished.c_str(), O_RDWR | O_CLOEXEC);
  if (found < 0) fail(unfinished);
  unfinished_.name = unfinished;
  edges_ = file(found, name_, false);
  open_past_cache(found, direct);
}

void output_file::open_past_cache(int made, bool direct) {
  const std::string by_descriptor = fmt::format("/proc/self/fd/{}", made);
  const int past_cache =
      direct && !is_in_memory(made) ? ::open(by_descriptor.c_str(), O_RDWR | O_DIRECT | O_CLOEXEC) : -1;
  if (past_cache >= 0) {
    direct_ = file(past_cache, name_, true);
  } else {
    const int again = ::open(by_descriptor.c_str(), O_RDWR | O_CLOEXEC);
    if (again < 0) fail(name_);
    direct_ = file(again, name_, false);
  }
}

bool output_file::allocate(std::uint64_t size) {
  if (size == 0) return true;
  // On a disk the space is allocated at once: a full disk is known now, and writers need not wait
  // for each other. Not every file system supports that, and in memory it would be wasted work.
  if (direct_.is_direct() && ::fallocate(edges_.descriptor(), 0, 0, static_cast<off_t>(size)) == 0) return true;
  if (direct_.is_direct() && errno != EOPNOTSUPP) fail(name_);
  if (::ftruncate(edges_.descriptor(), static_cast<off_t>(size)) != 0) fail(name_);
  return false;
}

void output_file::write_at_begin(std::string_view bytes) {
  for (std::size_t written = 0; written != bytes.size();) {
    const ::ssize_t some =
        ::pwrite(edges_.descriptor(), bytes.data() + written, bytes.size() - written, static_cast<off_t>(written));
    if (some < 0 && errno != EINTR) fail(name_);
    if (some > 0) written += static_cast<std::size_t>(some);
  }
}

output_file::unfinished_name::~unfinished_name() {
  if (!name.empty()) ::unlink(name.c_str());
}

void output_file::complete(std::uint64_t size) {
  if (::ftruncate(edges_.descriptor(), static_cast<off_t>(size)) != 0) fail(name_);
  secure();
}

void output_file::secure() {
  if (::fsync(edges_.descriptor()) != 0) fail(name_);
}

void output_file::publish() {
  if (unfinished_.name.empty()) {
    const std::string by_descriptor = fmt::format("/proc/self/fd/{}", edges_.descriptor());
    // A link cannot replace a file, a rename can.
    const bool is_there = ::linkat(AT_FDCWD, by_descriptor.c_str(), AT_FDCWD, name_.c_str(), AT_SYMLINK_FOLLOW) == 0;
    if (!is_there && errno != EEXIST) fail(name_);
    for (int number = 0; !is_there; ++number) {
      unfinished_.name = hidden_name(name_, number);
      if (::linkat(AT_FDCWD, by_descriptor.c_str(), AT_FDCWD, unfinished_.name.c_str(), AT_SYMLINK_FOLLOW) == 0) break;
      const int why = errno;
      unfinished_.name.clear();
      errno = why;
      if (why != EEXIST) fail(name_);
    }
  }
  if (!unfinished_.name.empty() && std::rename(unfinished_.name.c_str(), name_.c_str()) != 0) fail(name_);
  unfinished_.name.clear();
  // The result has replaced the old file, and is complete. If its name does not survive a crash of
  // the machine, this is no failure of the sort.
  const int folder = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {
    ::fsync(folder);
    ::close(folder);
  }
}

std::string output_file::lost() const {
  if (lost_.empty()) return "";
  return fmt::format("{}: the new file has not kept {}", weir::support::quoted_name(name_), fmt::join(lost_, ", "));
}

}  // namespace extsort
