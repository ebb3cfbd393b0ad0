// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "common/files.hpp"

#include "support/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace {

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what + ": " + std::strerror(errno)); }

}  // namespace

temporary_file::temporary_file() {
  std::error_code ignored;
  std::filesystem::path folder = std::filesystem::temp_directory_path(ignored);
  if (folder.empty()) folder = "/tmp";
  path_ = std::filesystem::absolute(folder) / "weir-graph-XXXXXX";
  const descriptor made(mkostemp(path_.data(), O_CLOEXEC));
  if (!made) fail("can't make a temporary file in " + folder.string());
}

temporary_file::~temporary_file() { unlink(path_.c_str()); }

lent_file::lent_file(const char* variable) : variable_(variable) { setenv(variable, file_.path().c_str(), 1); }
lent_file::~lent_file() { unsetenv(variable_); }

std::string read_file(const std::string& path) {
  const descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) fail("can't read " + weir::support::quoted_name(path));
  return read_all(*file, weir::support::quoted_name(path));
}

std::string read_all(int descriptor, const std::string& name) {
  std::string text;
  char part[1 << 14];
  for (;;) {
    const ssize_t got = read(descriptor, part, sizeof part);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("can't read " + name);
    if (got == 0) return text;
    text.append(part, static_cast<std::size_t>(got));
  }
}

void write_all(int descriptor, std::string_view text, const std::string& name) {
  while (!text.empty()) {
    const ssize_t put = write(descriptor, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail("can't write to " + name);
    text.remove_prefix(static_cast<std::size_t>(put));
  }
}
