// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "support/output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

namespace weir::support {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cant_write(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), "can't write " + what);
}

struct closer {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

void write_to(const fs::path& path, const char* mode, std::string_view text, const std::string& what) {
  std::unique_ptr<std::FILE, closer> file(std::fopen(path.c_str(), mode));
  if (file == nullptr) cant_write(what);
  if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size()) cant_write(what);
  if (std::fclose(file.release()) != 0) cant_write(what);
}

}  // namespace

void write_standard_output(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    cant_write("standard output");
  }
}

void write_file(const std::string& name, std::string_view text) {
  const std::string what = quoted_name(name);
  std::error_code none;
  fs::path path = fs::canonical(name, none);
  const bool exists = !none;
  if (!exists) path = name;
  if (exists && !fs::is_regular_file(path, none)) return write_to(path, "w", text, what);
  const fs::path unfinished = path.native() + fmt::format(".{}.unfinished", ::getpid());
  try {
    write_to(unfinished, "wx", text, what);
    if (exists) fs::permissions(unfinished, fs::status(path).permissions());
    if (std::rename(unfinished.c_str(), path.c_str()) != 0) cant_write(what);
  } catch (...) {
    fs::remove(unfinished, none);
    throw;
  }
}

std::string quoted_name(std::string_view name) {
  std::string text = "'";
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < ' ' || c == 127) {
      text += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    } else {
      text += c;
    }
  }
  return text + "'";
}

}  // namespace weir::support
