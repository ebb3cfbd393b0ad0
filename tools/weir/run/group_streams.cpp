// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/group_streams.hpp"

#include "support/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <utility>

namespace {

// Longest line that is passed on whole.
constexpr std::size_t line_most = std::size_t{8} << 20;
constexpr std::size_t label_most = 64;
constexpr std::size_t read_at_once = std::size_t{16} * 1024;

constexpr std::size_t kept_most = std::size_t{1} << 20;

}  // namespace

standard_stream::standard_stream(int to, const char* name, traffic_failure& failure)
    : to_(to), name_(name), failure_(failure) {}

bool standard_stream::full() const { return !takes_all_ && !takes_what_fits_ && kept_.size() >= kept_most; }

void standard_stream::add(std::string_view text) {
  if (dropped_ || cut_) return;
  kept_ += text;
  cut_ = takes_what_fits_ && kept_.size() >= kept_most;
}

void standard_stream::write() {
  std::size_t written = 0;
  while (written != kept_.size()) {
    const ssize_t wrote = to_.write(std::string_view(kept_).substr(written));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0 && errno == EAGAIN) break;
    if (wrote < 0) {
      if (!failure_.happened()) {
        if (errno == EPIPE && to_.number() == STDOUT_FILENO) {
          failure_.reader_gone = true;
        } else {
          failure_.what = std::string("can't write ") + name_ + ": " + std::strerror(errno);
        }
      }
      return drop();
    }
    written += static_cast<std::size_t>(wrote);
  }
  kept_.erase(0, written);
}

void standard_stream::drop() {
  dropped_ = true;
  kept_.clear();
}

group_log::group_log(const std::string& folder, const std::string& name, traffic_failure& failure) : failure_(failure) {
  if (folder.empty()) return;
  file_ = folder + "/" + name;
  // The open does not wait for the reader of a pipe; writing does.
  to_ = descriptor(::open(file_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC, 0666));
  if (!to_) throw std::runtime_error("can't write " + file_ + ": " + std::strerror(errno));
  fcntl(*to_, F_SETFL, 0);
}

void group_log::add(std::string_view text) {
  if (!to_) return;
  try {
    write_all(*to_, text, file_);
  } catch (const std::exception& problem) {
    fail(problem.what());
    to_.close();
  }
}

void group_log::end() {
  if (!to_.close()) fail("can't write to " + file_ + ": " + std::strerror(errno));
}

void group_log::fail(const std::string& why) {
  if (!failure_.happened()) failure_.what = why;
}

group_output::group_output(standard_stream& to, std::string prefix, std::unique_ptr<group_log> log,
                           const std::function<bool()>& silenced)
    : to_(to), prefix_(std::move(prefix)), log_(std::move(log)), silenced_(silenced) {}

void group_output::add(std::string_view text) {
  log_->add(text);
  if (silenced_()) return;
  const std::size_t end = text.rfind('\n');
  if (end != std::string_view::npos) {
    line_ += text.substr(0, end + 1);
    pass_on(line_);
    line_.clear();
    text.remove_prefix(end + 1);
  }
  line_ += text;
  if (line_.size() > line_most) pass_on_rest();
}

void group_output::pass_on(std::string_view lines) {
  if (prefix_.empty()) return to_.add(lines);
  std::string all;
  while (!lines.empty()) {
    const std::size_t size = std::min(lines.find('\n'), lines.size() - 1) + 1;
    all += prefix_;
    all += lines.substr(0, size);
    lines.remove_prefix(size);
  }
  to_.add(all);
}

void group_output::pass_on_rest() {
  if (line_.empty()) return;
  if (!prefix_.empty()) line_ += '\n';
  pass_on(line_);
  line_.clear();
}

void group_output::end() { pass_on_rest(); }
void group_output::end_log() { log_->end(); }

read_pipe::read_pipe(int from) : from_(from) { fcntl(from, F_SETFL, O_NONBLOCK); }

void read_pipe::pass_on() {
  std::array<char, read_at_once> part;
  while (!held_up()) {
    const ssize_t got = ::read(*from_, part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) return end();
    take({part.data(), static_cast<std::size_t>(got)});
  }
}

void read_pipe::end() {
  take_end();
  from_.close();
}

output_pipe::output_pipe(int from, group_output& to, std::string first_line)
    : read_pipe(from), to_(to), first_line_(std::move(first_line)) {}

void output_pipe::take(std::string_view text) {
  if (begun()) return to_.add(text);
  before_ += text;
  const std::size_t at = before_.find(first_line_);  // a login may print text before the first line
  if (at == std::string::npos) return;
  before_.erase(at, std::exchange(first_line_, {}).size());
  to_.add(std::exchange(before_, {}));
}

void output_pipe::take_end() {
  if (!before_.empty()) to_.add(std::exchange(before_, {}));
  to_.end();
}

ranks_pipe::ranks_pipe(int from, const mpi_job& job, bool is_error, std::vector<rank_output> ranks, std::string& own)
    : read_pipe(from), job_(job), is_error_(is_error), ranks_(std::move(ranks)), own_(own) {}

bool ranks_pipe::held_up() const {
  return std::ranges::any_of(ranks_, [](const rank_output& each) { return each.output->full() || each.error->full(); });
}

void ranks_pipe::take(std::string_view text) {
  line_ += text;
  std::size_t begin = 0;
  for (std::size_t end; (end = line_.find('\n', begin)) != std::string::npos; begin = end + 1) {
    take_line(std::string_view(line_).substr(begin, end + 1 - begin));
  }
  line_.erase(0, begin);
  if (line_.size() <= line_most) return;
  // The last label may be incomplete.
  const std::size_t most = std::min(line_.find('[', line_.size() - label_most), line_.size());
  take_line(std::string_view(line_).substr(0, most));
  line_.erase(0, most);
}

void ranks_pipe::take_end() {
  if (!line_.empty()) take_line(std::exchange(line_, {}));
  for (const rank_output& each : ranks_) (is_error_ ? each.error : each.output)->end();
}

std::optional<labelled_line> ranks_pipe::label_at(std::string_view line) const {
  const auto made = rank_of(job_, line, is_error_);
  return made && made->rank < ranks_.size() ? made : std::nullopt;
}

// Takes a whole line or a part of one, with or without its line end.
void ranks_pipe::take_line(std::string_view line) {
  while (!line.empty()) {
    std::string_view text = line;
    if (const auto what = label_at(line)) {
      const rank_output& of = ranks_[what->rank];
      within_ = what->is_error ? of.error : of.output;
      text = what->text;
    }
    // If a program prints a line in parts, each part may have a label in front, with the parts of
    // other ranks between them.
    std::size_t next = job_.launcher == mpi_launcher::srun ? std::string_view::npos : text.find('[');
    while (next != std::string_view::npos && !label_at(text.substr(next))) next = text.find('[', next + 1);
    const std::string_view part = text.substr(0, next);
    if (within_ != nullptr) {
      within_->add(part);
    } else if (own_.size() < line_most) {
      own_ += part;
    }
    if (part.ends_with('\n')) within_ = nullptr;
    line = text.substr(part.size());
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
    // A closed standard input, or a terminal of another process group, counts as empty.
    const int why = got < 0 ? errno : EBADF;
    if (why != EBADF && ::isatty(STDIN_FILENO) == 0) problem_ = std::strerror(why);
    to_.close();
    return;
  }
  waiting_.append(part.data(), static_cast<std::size_t>(got));
  write();
}
