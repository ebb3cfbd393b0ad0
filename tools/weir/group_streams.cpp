// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "group_streams.hpp"

#include "support/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <utility>

namespace {

// A line is passed on whole up to this length.
constexpr std::size_t line_most = std::size_t{64} * 1024;
constexpr std::size_t read_at_once = std::size_t{16} * 1024;

}  // namespace

group_log::group_log(const std::string& folder, const std::string& name) {
  if (folder.empty()) return;
  file_ = folder + "/" + name;
  to_ = descriptor(::open(file_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!to_) throw std::runtime_error("can't write " + file_ + ": " + std::strerror(errno));
}

void group_log::add(std::string_view text) {
  if (!to_) return;
  try {
    write_all(*to_, text, file_);
  } catch (const std::exception& problem) {
    weir::support::complain("weir run", problem.what() + std::string("; it ends here"));
    to_.close();
  }
}

output_pipe::output_pipe(int from, int to, std::string prefix, std::string first_line, std::unique_ptr<group_log> log)
    : from_(from), to_(to), prefix_(std::move(prefix)), first_line_(std::move(first_line)), log_(std::move(log)) {
  fcntl(from, F_SETFL, O_NONBLOCK);
}

void output_pipe::pass_on() {
  std::array<char, read_at_once> part;
  for (;;) {
    const ssize_t got = ::read(*from_, part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) return end();
    const std::string_view text(part.data(), static_cast<std::size_t>(got));
    line_ += text;
    if (begun()) {
      log_->add(text);
    } else {
      take_first_line();
    }
    print_lines();
  }
}

void output_pipe::end() {
  if (!line_.empty()) write(prefix_ + std::exchange(line_, {}) + "\n");
  from_.close();
}

void output_pipe::take_first_line() {
  if (begun()) return;
  const std::size_t at = line_.find(first_line_);  // a login may print something in front of it
  if (at == std::string::npos) return;
  line_.erase(at, first_line_.size());
  first_line_.clear();
  log_->add(line_);
}

void output_pipe::print_lines() {
  std::string all;
  std::size_t begin = 0;
  for (std::size_t end; (end = line_.find('\n', begin)) != std::string::npos; begin = end + 1) {
    all += prefix_ + line_.substr(begin, end + 1 - begin);
  }
  line_.erase(0, begin);
  if (line_.size() > line_most) all += prefix_ + std::exchange(line_, {}) + "\n";
  write(all);
}

void output_pipe::write(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t wrote = ::write(to_, text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return;  // nobody reads it
    text.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

input_pipe::input_pipe(int to, std::string first, bool passes_on)
    : to_(to), waiting_(std::move(first)), passes_on_(passes_on) {
  fcntl(to, F_SETFL, O_NONBLOCK);
}

void input_pipe::write() {
  while (full()) {
    const ssize_t wrote = ::write(*to_, waiting_.data(), waiting_.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0 && errno == EAGAIN) return;
    if (wrote < 0) return to_.close(), waiting_.clear();  // the program reads no more
    waiting_.erase(0, static_cast<std::size_t>(wrote));
  }
  if (!passes_on_) to_.close();
}

void input_pipe::read() {
  std::array<char, read_at_once> part;
  const ssize_t got = ::read(STDIN_FILENO, part.data(), part.size());
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (got <= 0) {
    to_.close();
    return;
  }
  waiting_.append(part.data(), static_cast<std::size_t>(got));
  write();
}
