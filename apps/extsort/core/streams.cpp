// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "streams.hpp"

#include "engine.hpp"
#include "record_writer.hpp"
#include "support/output.hpp"
#include "support/stop_event.hpp"
#include "support/unhurried_stream.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace extsort {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const char* to_do, const std::string& name) {
  throw std::system_error(errno, std::generic_category(),
                          std::string("can't ") + to_do + " " + weir::support::quoted_name(name));
}

}  // namespace

input_file::input_file(const std::string& name, bool direct) {
  const bool is_standard = name == "-";
  const std::string path = is_standard ? "/proc/self/fd/0" : name;
  const std::string called = is_standard ? "standard input" : name;
  struct stat about {};
  if ((is_standard ? ::fstat(STDIN_FILENO, &about) : ::stat(name.c_str(), &about)) != 0) fail("read", called);
  if (S_ISDIR(about.st_mode)) {
    errno = EISDIR;
    fail("read", called);
  }
  // A file that reports a size of 0 may have contents all the same, as in /proc. Standard input may
  // be at any place in a file.
  is_stream_ =
      !S_ISREG(about.st_mode) || about.st_size == 0 || (is_standard && ::lseek(STDIN_FILENO, 0, SEEK_CUR) != 0);
  size_ = is_stream_ ? 0 : static_cast<std::uint64_t>(about.st_size);
  if (!is_stream_) {
    contents_ = open_file(path, O_RDONLY, direct, "read");
    contents_.set_name(called);
    return;
  }
  // A blocking open would wait for a writer of a named pipe, and could not be interrupted.
  const int made =
      is_standard ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : ::open(name.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (made < 0) fail("read", called);
  contents_ = file(made, called, false);
}

void input_file::spool(temporary_space& to, disk_queue& disk, std::span<std::byte> buffer,
                       const std::stop_token& stop) {
  file copy = to.another();
  const std::span<std::byte> read = buffer.first(rounded_down(buffer.size() / 3));
  record_writer writer(disk, buffer.subspan(read.size(), 2 * read.size() / (2 * page) * (2 * page)), copy, nullptr, 0);
  const std::size_t most = read.size() - record_slack;
  const weir::support::stop_event stopped(stop);
  while (true) {
    if (!stopped.wait_for(contents_.descriptor(), POLLIN)) throw interrupted();
    const ::ssize_t got = ::read(contents_.descriptor(), read.data(), most);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) fail("read", contents_.name());
    if (got == 0) break;
    writer.add(read.data(), static_cast<std::size_t>(got));
    size_ += static_cast<std::uint64_t>(got);
  }
  writer.finish();
  copy.set_name(contents_.name());
  contents_ = std::move(copy);
  is_stream_ = false;
  is_copy_ = true;
}

void input_file::release() const noexcept {
  if (is_copy_) [[maybe_unused]]
    const int freed = ::ftruncate(contents_.descriptor(), 0);
}

bool is_output_stream(const std::string& name) {
  struct stat about {};
  return name == "-" || (::stat(name.c_str(), &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode));
}

output_stream::output_stream(std::string name) : name_(std::move(name)) {
  if (name_ == "-") return;
  const int made = ::open(name_.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (made >= 0) {
    to_.emplace(made, name_, false);
  } else if (errno != ENXIO || !fs::is_fifo(name_)) {  // ENXIO: the pipe has no reader yet
    fail("write", name_);
  }
}

void output_stream::copy(const file& from, std::uint64_t size, disk_queue& disk, std::span<std::byte> buffer,
                         const std::stop_token& stop) {
  constexpr int a_while = 20;  // ms
  const weir::support::stop_event stopped(stop);
  while (!to_ && name_ != "-") {
    const int made = ::open(name_.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (made >= 0) to_.emplace(made, name_, false);
    if (made < 0 && errno != ENXIO && errno != EINTR) fail("write", name_);
    // There is no event for the first reader of a pipe.
    if (made < 0 && !stopped.wait(a_while)) throw interrupted();
  }
  const weir::support::stoppable_stream to(to_ ? to_->descriptor() : STDOUT_FILENO, stop);
  for (std::uint64_t at = 0; at < size;) {
    if (stop.stop_requested()) throw interrupted();
    transfer reading;
    disk.read(reading, from, at, buffer.data(), std::min<std::uint64_t>(buffer.size(), rounded_up(size) - at));
    const std::size_t got = static_cast<std::size_t>(std::min<std::uint64_t>(disk.finish(reading), size - at));
    if (got == 0) throw std::system_error(EIO, std::generic_category(), "can't read what was sorted");
    if (!to.write({reinterpret_cast<const char*>(buffer.data()), got})) {
      if (errno == ECANCELED) throw interrupted();
      if (!to_) weir::support::cant_write_standard_output();
      fail("write", name_);
    }
    at += got;
  }
}

}  // namespace extsort
