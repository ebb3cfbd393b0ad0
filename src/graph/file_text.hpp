// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

namespace weir {

// Streams of the standard library open files so that programs inherit them that another thread
// starts meanwhile. These do not.

struct file_closer {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using open_file = std::unique_ptr<std::FILE, file_closer>;

/// Null, and errno says why.
inline open_file open_to_read(const std::string& name) { return open_file(std::fopen(name.c_str(), "rbe")); }
inline open_file open_to_write(const std::string& name) { return open_file(std::fopen(name.c_str(), "wbe")); }

/// All that is in a file; nothing where it can't be read, and errno says why.
inline std::optional<std::string> text_of_file(const std::string& name) {
  const open_file file = open_to_read(name);
  if (file == nullptr) return std::nullopt;
  std::string text;
  char part[4096];
  for (std::size_t got; (got = std::fread(part, 1, sizeof part, file.get())) != 0;) text.append(part, got);
  return std::ferror(file.get()) != 0 ? std::nullopt : std::optional(std::move(text));
}

/// @return whether all of it is written; else the file, if it is one, is left empty, and errno says
/// why
inline bool write_to_file(const std::string& name, const std::string& text) noexcept {
  open_file file = open_to_write(name);
  if (file == nullptr) return false;
  int problem = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() ? 0 : errno;
  if (std::fclose(file.release()) != 0 && problem == 0) problem = errno;
  if (problem == 0) return true;
  static_cast<void>(!::truncate(name.c_str(), 0));  // what is no regular file stays what it is
  errno = problem;
  return false;
}

/// Likewise, of what a variable of the environment asks for: if it can't be written, standard error
/// says so.
inline bool answer_in_file(const char* variable, const std::string& name, const std::string& text) noexcept {
  if (write_to_file(name, text)) return true;
  std::fprintf(stderr, "weir: can't write '%s' (%s); let %s name a file that can be written\n", name.c_str(),
               std::strerror(errno), variable);
  return false;
}

}  // namespace weir
