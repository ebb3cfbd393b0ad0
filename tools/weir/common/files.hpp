// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/descriptor.hpp"

#include <string>
#include <string_view>

using weir::support::descriptor;

/// An empty file that only the user of this process can read. The destructor removes it.
class temporary_file {
 public:
  temporary_file();
  ~temporary_file();
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;

  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

/// A temporary file for the program, named by an environment variable while this object lives.
class lent_file {
 public:
  explicit lent_file(const char* variable);
  ~lent_file();
  lent_file(const lent_file&) = delete;
  lent_file& operator=(const lent_file&) = delete;

  const std::string& path() const noexcept { return file_.path(); }

 private:
  const char* variable_;
  temporary_file file_;
};

// All of these functions throw a std::runtime_error that names the file and the reason.

std::string read_file(const std::string& path);

std::string read_all(int descriptor, const std::string& name);
void write_all(int descriptor, std::string_view text, const std::string& name);
