// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

namespace weir {

// Streams of the standard library open files so that programs inherit them that another thread starts meanwhile.
// These do not.

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

/// @return whether all of it is written
inline bool write_to_file(const std::string& name, const std::string& text) noexcept {
  open_file file = open_to_write(name);
  if (file == nullptr) return false;
  const bool written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
  return std::fclose(file.release()) == 0 && written;
}

}  // namespace weir
