// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace weir_test {

/// Returns the contents of a file; empty if it can't be read. In one call: an iterator over a
/// stream takes as long for some megabytes as sorting them.
inline std::string file_text(const std::filesystem::path& file) {
  std::error_code failed;
  const auto size = std::filesystem::file_size(file, failed);
  if (failed) return {};
  std::string made(size, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(made.data(), static_cast<std::streamsize>(size));
  made.resize(static_cast<std::size_t>(in.gcount()));
  return made;
}

}  // namespace weir_test
