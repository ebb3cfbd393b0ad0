// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "searcher.hpp"

#include "file_search.hpp"
#include "support/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

namespace filesearch {
namespace {

constexpr std::size_t usual_read = 2 * file_search::block_bytes;
constexpr std::size_t usual_buffer = usual_read + file_search::block_bytes;
constexpr std::size_t largest_buffer_kept = std::size_t{16} << 20;
// Longer findings in one file are sent in parts.
constexpr std::size_t text_in_part = std::size_t{128} * 1024;

// Whether there are holes behind the first block. Does not change the file's position.
bool has_holes(int file, std::uint64_t size) {
  const off_t position = ::lseek(file, 0, SEEK_CUR);
  const off_t hole = ::lseek(file, file_search::block_bytes, SEEK_HOLE);
  return ::lseek(file, position, SEEK_SET) >= 0 && hole >= 0 && static_cast<std::uint64_t>(hole) < size;
}

// Skips the hole at the file's position, except for its last byte. @return the number of skipped
// bytes
std::uint64_t skip_hole(int file, std::uint64_t size) {
  const off_t position = ::lseek(file, 0, SEEK_CUR);
  const off_t data = ::lseek(file, position, SEEK_DATA);
  const off_t behind = data >= 0 ? data : errno == ENXIO ? static_cast<off_t>(size) : position;
  const off_t to = std::max(position, behind - 1);
  return ::lseek(file, to, SEEK_SET) == to ? static_cast<std::uint64_t>(to - position) : 0;
}

}  // namespace

// An open file, or a text that arrived in place of a file.
class searcher::input {
 public:
  explicit input(int fd) noexcept : fd_(fd) {}
  explicit input(std::string text) noexcept : text_(std::move(text)) {}
  input(const input&) = delete;
  input& operator=(const input&) = delete;
  ~input() {
    if (fd_ > STDIN_FILENO) ::close(fd_);
  }
  int get() const noexcept { return fd_; }

  /// Reads as ::read does.
  ssize_t read(char* to, std::size_t most) noexcept {
    if (fd_ >= 0) return ::read(fd_, to, most);
    const std::size_t some = text_.copy(to, most, taken_);
    taken_ += some;
    return static_cast<ssize_t>(some);
  }

  /// Returns the number of bytes left, as far as is known.
  std::uint64_t left() const noexcept { return size ? *size - std::min(*size, bytes) : 0; }

  bool regular = false;               ///< can be read to its end without waiting
  std::optional<std::uint64_t> size;  ///< of a file that is read from its beginning
  std::uint64_t bytes = 0;            ///< number of bytes that were read or skipped
  bool has_holes = false;

 private:
  int fd_ = -1;
  std::string text_;
  std::size_t taken_ = 0;
};

// The bytes of one read, and the matching lines in them if these have been searched already.
struct searcher::block {
  std::size_t bytes = 0;
  bool last = false;
  int error = 0;
  std::optional<known_lines> found = {};
};

// The output for the files of one batch, until it is sent.
class searcher::sending {
 public:
  sending(weir::outlet<findings>& out, std::shared_mutex& turn, std::size_t index, bool waits_for_turn)
      : out_(out),
        turn_(turn, std::defer_lock),
        others_(turn, std::defer_lock),
        index_(index),
        waits_(waits_for_turn) {}

  std::string& text() noexcept { return text_; }
  outcome& found() noexcept { return found_; }
  bool grouped() const noexcept { return grouped_; }
  void set_grouped(bool grouped) noexcept { grouped_ = grouped; }

  /// Sends a part of the findings in a file.
  void send_part() {
    if (text_.empty()) return;
    if (waits_ && !turn_.owns_lock()) turn_.lock();
    send(true, std::exchange(in_parts_, true));
  }

  /// Called at the end of a file.
  void say(std::string message) {
    message_ = std::move(message);
    if (in_parts_) return;
    grouped_ = false;
    end_batch();
  }

  void end_file() {
    if (in_parts_) {
      send(false, true);
      in_parts_ = false;
      grouped_ = false;
      if (waits_) turn_.unlock();
    }
  }

  void end_batch() {
    const bool says = !text_.empty() || !message_.empty(), waits = waits_ && says;
    if (waits) others_.lock();
    if (says || found_ != outcome{}) send(false, false);
    if (waits) others_.unlock();
  }

 private:
  void send(bool continues, bool continued) {
    findings made{std::exchange(text_, {}),   index_, continues, continued, std::exchange(found_, {}),
                  std::exchange(message_, {})};
    out_.send(std::move(made));
  }

  weir::outlet<findings>& out_;
  std::unique_lock<std::shared_mutex> turn_;
  std::shared_lock<std::shared_mutex> others_;
  std::size_t index_;
  bool waits_;
  std::string text_;
  std::string message_;
  outcome found_;
  bool in_parts_ = false;
  bool grouped_ = false;
};

void searcher::start() {
  std::error_code unknown;
  working_directory_ = std::filesystem::current_path(unknown).native();
}

void searcher::process(batch files, weir::outlet<findings>& out, weir::context& where) {
  chosen_.style.file_names = files.file_names;
  // Passes the folder on only if the walk's working directory differs from this process's.
  const std::string folder = files.directory == working_directory_ ? "" : files.directory;
  sending to(out, others_->turn, where.index(), !chosen_.sorted);
  to.found() = files.found;
  for (found_file& file : files.files) {
    if (is_over(where)) break;
    search(file, folder, to, where);
    to.end_file();
  }
  to.end_batch();
}

// Whether the search is over: a searcher of this process has found enough, or the run is being
// cancelled.
bool searcher::is_over(const weir::context& where) const {
  return others_->enough.load(std::memory_order_relaxed) || where.stop_requested();
}

void searcher::search(found_file& file, const std::string& folder, sending& to, const weir::context& where) {
  const bool standard_input = file.named && file.path == "-";
  const bool brings_text = file.text.has_value();
  const std::string name = standard_input ? standard_input_name : file.path;
  const auto fail = [&](int error) { report_error(to.found(), name, error, chosen_.no_messages); };
  const std::string path = folder.empty() ? file.path : (std::filesystem::path(folder) / file.path).native();
  // An entry that was a regular file when its directory was read may be a link or a pipe by now.
  const int flags =
      O_RDONLY | O_CLOEXEC | O_NOCTTY | (file.named ? 0 : O_NONBLOCK) | (file.named || chosen_.follow ? 0 : O_NOFOLLOW);
  input open = brings_text      ? input(*std::move(file.text))
               : standard_input ? input(STDIN_FILENO)
                                : input(::open(path.c_str(), flags));
  struct stat status {};
  if (!brings_text && (open.get() < 0 || ::fstat(open.get(), &status) != 0)) return fail(errno);
  const bool regular = brings_text || S_ISREG(status.st_mode);
  if (!regular && !file.named) return;
  const bool directory = S_ISDIR(status.st_mode);
  if (file.named && !standard_input && !is_wanted(file.path, directory)) return;
  if (directory) return fail(EISDIR);
  if (regular && !brings_text && chosen_.prints_lines() && chosen_.most > 1 && is_output(status)) {
    ++to.found().errors;
    weir::support::complain("filesearch", name + ": input file is also the output");
    return;
  }

  matcher_.begin_file();
  shared_.begin_file();
  file_search searched(chosen_, matcher_, to.text(), to.grouped(), name);
  if (buffer_.empty()) buffer_.resize(usual_buffer);
  open.regular = regular;
  if (regular && !standard_input && !brings_text) open.size = static_cast<std::uint64_t>(status.st_size);
  std::size_t begin = 0;  // begin of the part of the buffer that is still needed
  std::size_t end = 0;
  bool more = true;
  const auto take = [&](block fresh) {
    if (fresh.error != 0) fail(fresh.error);
    const std::size_t before = end - begin;
    end += fresh.bytes;
    open.bytes += fresh.bytes;
    if (fresh.found) fresh.found->move_by(before);
    more =
        searched.take(buffer_.data() + begin, end - begin, before, fresh.last, fresh.found ? &*fresh.found : nullptr);
    if (more) begin += searched.needs_from();
    return more && !is_over(where);
  };
  while (more) {
    end -= begin;
    if (begin != 0) std::memmove(buffer_.data(), buffer_.data() + std::exchange(begin, 0), end);
    if (open.bytes != 0 && open.left() >= shared_reading::least_bytes && !open.has_holes &&
        shared_reading::possible()) {
      read_together(open, end, take);
    } else {
      const bool first = open.bytes == 0;
      block fresh = read(open, end);
      if (first && open.size && !fresh.last && has_holes(open.get(), *open.size)) {
        open.has_holes = true;
        searched.has_holes();
      }
      take(std::move(fresh));
      if (more && searched.can_skip_holes()) open.bytes += skip_hole(open.get(), *open.size);
    }
    if (more && (!regular || to.text().size() > text_in_part)) to.send_part();
    if (is_over(where)) return;
  }
  to.set_grouped(searched.grouped());
  if (buffer_.size() > largest_buffer_kept) buffer_ = {};
  ++to.found().files;
  to.found().bytes += open.bytes;
  conclude(searched, name, to);
}

// Reads the next bytes into the buffer behind the used ones. A whole block is read at once, where
// the file allows: a NUL byte in a block also affects the lines in front of it.
searcher::block searcher::read(input& from, std::size_t used) {
  block fresh;
  const std::size_t room = (used / usual_read + 1) * usual_read - static_cast<std::size_t>(from.bytes % usual_read);
  if (buffer_.size() < used + room) buffer_.resize(used + room);
  do {
    const ssize_t got = from.read(buffer_.data() + used + fresh.bytes, room - fresh.bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fresh.error = errno;
    fresh.bytes += static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    // If a file grows meanwhile, only its original size is searched.
    fresh.last = got <= 0 || (from.size && from.bytes + fresh.bytes == *from.size);
  } while (!fresh.last && from.regular && fresh.bytes != room);
  if (chosen_.style.nul_ends) exchange_line_ends(buffer_.data() + used, fresh.bytes);
  return fresh;
}

// Reads a part of the file together with other cores. Slices are taken while others are still read.
void searcher::read_together(input& from, std::size_t used, const std::function<bool(block)>& take) {
  const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(from.left(), shared_reading::part_bytes()));
  if (buffer_.size() < used + bytes) buffer_.resize(used + bytes);
  shared_.read(from.get(), from.bytes, buffer_.data() + used, bytes, [&](shared_reading::slice next) {
    const bool last = next.is_short || next.bytes == from.left();
    return take({next.bytes, last, next.error, std::move(next.found)});
  });
  ::lseek(from.get(), static_cast<off_t>(from.bytes), SEEK_SET);
}

// Writes the results that concern a file as a whole.
void searcher::conclude(const file_search& searched, const std::string& name, sending& to) {
  const bool selected = searched.selected() != 0;
  if (selected) ++to.found().matching_files;
  if (chosen_.quiet) {
    if (selected) others_->enough.store(true, std::memory_order_relaxed);
    return;
  }
  std::string& out = to.text();
  if (chosen_.names != listed::no) {
    if (selected != (chosen_.names == listed::names_with_matches)) return;
    write_name(out, name, chosen_.style);
    out += chosen_.style.nul_after_names ? '\0' : '\n';
  } else if (chosen_.count) {
    if (chosen_.style.file_names) write_name_before(out, name, ":", chosen_.style);
    fmt::format_to(std::back_inserter(out), "{}\n", searched.selected());
  } else if (searched.matches_unseen()) {
    to.say(name + ": binary file matches");
  }
}

bool searcher::is_wanted(const std::string& path, bool directory) const {
  return directory ? chosen_.filter.takes_named_directory(path) : chosen_.filter.takes_named_file(path);
}

bool searcher::is_output(const struct stat& file) {
  if (!std::exchange(output_known_, true)) {
    output_is_file_ = ::fstat(STDOUT_FILENO, &output_) == 0 && S_ISREG(output_.st_mode);
  }
  return output_is_file_ && file.st_dev == output_.st_dev && file.st_ino == output_.st_ino;
}

}  // namespace filesearch
