// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "support/output.hpp"

#include "support/file_attributes.hpp"
#include "support/unhurried_stream.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

namespace weir::support {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cant_write(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), "can't write " + what);
}

struct closer {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

// A file that replaces another one is for its owner alone until it has the attributes of that one.
std::FILE* open_file(const fs::path& path, const char* mode, bool replaces) {
  if (!replaces) return std::fopen(path.c_str(), mode);
  constexpr mode_t own = S_IRUSR | S_IWUSR;
  const int made = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, own);
  return made < 0 ? nullptr : ::fdopen(made, "w");
}

using filler = std::function<void(const file_writer&)>;

/// @param replaced a file whose attributes the new one gets; empty: none
/// @return the attributes that it could not get
std::vector<std::string> write_to(const fs::path& path, const char* mode, const filler& fill, const std::string& what,
                                  const std::string& replaced = "") {
  std::unique_ptr<std::FILE, closer> file(open_file(path, mode, !replaced.empty()));
  if (file == nullptr) cant_write(what);
  fill([&](std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size()) cant_write(what);
  });
  if (std::fflush(file.get()) != 0) cant_write(what);
  std::vector<std::string> lost;
  if (!replaced.empty()) lost = keep_attributes(replaced, ::fileno(file.get()));
  if (std::fclose(file.release()) != 0) cant_write(what);
  return lost;
}

// @return false if the write failed; errno says why
bool write_all_to_standard_error(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t wrote = ::write(STDERR_FILENO, text.data(), text.size());
    if (wrote < 0 && errno != EINTR) return false;
    if (wrote > 0) text.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return true;
}

// Returns the text with octal escapes in place of control characters.
std::string without_controls(std::string_view text) {
  std::string made;
  bool second_of_control = false;
  for (std::size_t i = 0; i != text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 == text.size() ? 0 : text[i + 1]);
    // U+0080 to U+009F are control characters too; each is two bytes in UTF-8.
    const bool first_of_control = byte == 0xC2 && next >= 0x80 && next <= 0x9F;
    if (byte < ' ' || byte == 127 || first_of_control || second_of_control) {
      made += fmt::format("\\{:03o}", byte);
    } else {
      made += text[i];
    }
    second_of_control = first_of_control;
  }
  return made;
}

}  // namespace

void cant_write_standard_output() {
  if (errno == EPIPE) throw output_closed(errno, std::generic_category(), "can't write standard output");
  cant_write("standard output");
}

void write_standard_output(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    cant_write_standard_output();
}

void finish_standard_output() {
  if (std::fflush(stdout) != 0) cant_write_standard_output();
  // Closing any descriptor of the open file reports its delayed errors.
  const int again = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
  if (again >= 0 && ::close(again) != 0 && errno != EINTR) cant_write_standard_output();
}

void print_on_standard_error(std::string_view text) {
  if (!write_all_to_standard_error(text)) cant_write("standard error");
}

std::string complaint(std::string_view program, std::string_view message) {
  std::string line(message);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return fmt::format("{}: {}\n", program, without_controls(line));
}

void complain(std::string_view program, std::string_view message) noexcept {
  try {
    write_standard_error(complaint(program, message));
  } catch (const std::bad_alloc&) {
    write_standard_error("out of memory\n");
  }
}

std::string cause_of(const std::exception& error) {
  try {
    std::rethrow_if_nested(error);
  } catch (const std::exception& nested) {
    return nested.what();
  } catch (...) {  // not a std::exception: the text of the error itself is used
  }
  return error.what();
}

void write_standard_error(std::string_view text) noexcept { static_cast<void>(write_all_to_standard_error(text)); }

std::string target_of(const std::string& name) {
  constexpr int most_links = 40;  // the limit of the kernel
  std::error_code none;
  fs::path path = name;
  for (int links = 0; fs::is_symlink(fs::symlink_status(path, none)); ++links) {
    if (links == most_links) {
      errno = ELOOP;
      cant_write(quoted_name(name));
    }
    path = path.parent_path() / fs::read_symlink(path, none);
  }
  const fs::path target = fs::weakly_canonical(path, none);
  return none ? path.string() : target.string();
}

void occupy_standard_descriptors() noexcept {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // open() takes the lowest free number. The access mode is the one in which the stream is not
    // used.
    if (::fcntl(number, F_GETFD) < 0) ::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

void write_file(const std::string& name, std::string_view text) {
  write_file(name, [text](const file_writer& write) { write(text); });
}

void write_file(const std::string& name, const filler& fill) {
  const std::string what = quoted_name(name);
  std::error_code none;
  const bool special = name.starts_with("/dev/") || name.starts_with("/proc/") ||
                       (fs::exists(name, none) && !fs::is_regular_file(name, none));
  if (special) {
    write_to(name, "ae", fill, what);
    return;
  }
  const fs::path path = target_of(name);
  const bool exists = fs::exists(path, none);
  std::vector<std::string> lost;
  const fs::path unfinished = path.native() + fmt::format(".{}.unfinished", ::getpid());
  try {
    lost = write_to(unfinished, "wxe", fill, what, exists ? path.native() : "");
    if (std::rename(unfinished.c_str(), path.c_str()) != 0) cant_write(what);
  } catch (...) {
    fs::remove(unfinished, none);
    throw;
  }
  if (!lost.empty())
    write_standard_error_in_time(complaint(
        ::program_invocation_short_name, fmt::format("{}: the new file has not kept {}", what, fmt::join(lost, ", "))));
}

std::string quoted_name(std::string_view name) { return "'" + without_controls(name) + "'"; }

}  // namespace weir::support
