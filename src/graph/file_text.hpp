// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/give_notice.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

namespace weir::detail {

// Functions that read and write files which child processes do not inherit. Streams of the standard
// library open files in such a way that programs started meanwhile by another thread inherit them.

struct file_closer {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using open_file = std::unique_ptr<std::FILE, file_closer>;

/// Opens a file. Returns null on error, with the reason in errno.
inline open_file open_to_read(const std::string& name) { return open_file(std::fopen(name.c_str(), "rbe")); }
inline open_file open_to_write(const std::string& name) { return open_file(std::fopen(name.c_str(), "wbe")); }

/// Returns the contents of a file. Returns nothing if the file can't be read, with the reason in
/// errno.
inline std::optional<std::string> text_of_file(const std::string& name) {
  const open_file file = open_to_read(name);
  if (file == nullptr) return std::nullopt;
  std::string text;
  char part[4096];
  for (std::size_t got; (got = std::fread(part, 1, sizeof part, file.get())) != 0;) text.append(part, got);
  return std::ferror(file.get()) != 0 ? std::nullopt : std::optional(std::move(text));
}

/// Writes text to a file. @return whether all of it was written. If not, a regular file is left
/// empty, and errno has the reason.
inline bool write_to_file(const std::string& name, const std::string& text) noexcept {
  open_file file = open_to_write(name);
  if (file == nullptr) return false;
  int problem = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() ? 0 : errno;
  if (std::fclose(file.release()) != 0 && problem == 0) problem = errno;
  if (problem == 0) return true;
  static_cast<void>(!::truncate(name.c_str(), 0));  // has no effect on files that are not regular
  errno = problem;
  return false;
}

/// Same as above, for a file that the environment variable `variable` asks for. If the file can't
/// be written, gives a notice.
inline bool answer_in_file(const char* variable, const std::string& name, const std::string& text) noexcept {
  if (write_to_file(name, text)) return true;
  detail::give_notice(
      {"can't write '", name, "' (", std::strerror(errno), "); let ", variable, " name a file that can be written"});
  return false;
}

/// Same as above, and ends the process at once: with status 0 if the file could be written, else
/// with 1. Only for a process whose environment asks for the file instead of the run.
[[noreturn]] inline void answer_and_end(const char* variable, const std::string& name,
                                        const std::string& text) noexcept {
  std::_Exit(answer_in_file(variable, name, text) ? 0 : 1);
}

}  // namespace weir::detail
