// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>

/// Files in a folder that only this user can read. The destructor removes the folder.
class temporary_files {
 public:
  /// @throws std::runtime_error
  temporary_files();
  ~temporary_files();
  temporary_files(const temporary_files&) = delete;
  temporary_files& operator=(const temporary_files&) = delete;

  /// Adds a file. @return its path @throws std::runtime_error
  std::string add(const std::string& name, const std::string& text, mode_t mode) const;

 private:
  std::string folder_;
};
