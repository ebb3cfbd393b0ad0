// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "run/temporary_files.hpp"

#include "common/files.hpp"

#include <fcntl.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>

temporary_files::temporary_files() {
  std::error_code none;
  folder_ = (std::filesystem::temp_directory_path(none) / "weir-run-XXXXXX").native();
  if (::mkdtemp(folder_.data()) == nullptr)
    throw std::runtime_error("can't make a folder for temporary files, " + folder_ + ": " + std::strerror(errno));
}

temporary_files::~temporary_files() {
  std::error_code none;
  std::filesystem::remove_all(folder_, none);
}

std::string temporary_files::add(const std::string& name, const std::string& text, mode_t mode) const {
  const std::string file = folder_ + "/" + name;
  descriptor to(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (to) write_all(*to, text, file);
  if (!to || !to.close()) throw std::runtime_error("can't write " + file + ": " + std::strerror(errno));
  return file;
}
