// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

/// Owns an open file descriptor and closes it. Negative: there is none.
class descriptor {
 public:
  explicit descriptor(int number) : number_(number) {}
  ~descriptor() { close(); }
  descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  descriptor& operator=(descriptor&& other) noexcept;

  explicit operator bool() const noexcept { return number_ >= 0; }
  int operator*() const noexcept { return number_; }

  /// Closes the descriptor. @return whether all that was written got through.
  bool close() noexcept;

 private:
  int number_;
};

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
