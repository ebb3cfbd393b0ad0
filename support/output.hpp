// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Output of weir's own programs: to standard output, to files that are complete or not there, and
// about names.

#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <system_error>

namespace weir::support {

/// Standard output is a pipe or a socket that nobody reads any more.
class output_closed : public std::system_error {
 public:
  using std::system_error::system_error;
};

/// Says "can't write standard output", and why `errno` says. @throws output_closed, or else
/// std::system_error
[[noreturn]] void cant_write_standard_output();

/// Writes the text to standard output. @throws likewise
void write_standard_output(std::string_view text);

/// After the last of it: what file systems on a network, and quotas, tell only where a file is
/// closed. Standard output stays open. @throws likewise
void finish_standard_output();

/// Writes to standard error what was asked for there, such as a table. @throws std::system_error
void print_on_standard_error(std::string_view text);

/// Writes a line, behind the program's name, to standard error, as one piece. There is nobody to
/// tell if that fails.
void complain(std::string_view program, std::string_view message) noexcept;

/// The line that `complain` writes.
std::string complaint(std::string_view program, std::string_view message);

/// The first cause: the text of the innermost nested error, or the error's own. Users of a program
/// need not know the nodes that worked for them.
std::string cause_of(const std::exception& error);

/// Writes text to standard error, likewise.
void write_standard_error(std::string_view text) noexcept;

/// Follows the links of a name, also to where nothing is yet. @throws std::system_error if they
/// lead nowhere, in a circle
std::string target_of(const std::string& name);

/// Sees to it that what is opened later is not taken for a standard stream that was closed: using
/// one of those goes on failing.
void occupy_standard_descriptors() noexcept;

/// Writes a file. A regular file has its name, or its new contents, only once it is complete:
/// another file takes its place, with its permissions, but not its owner and hard links. What a
/// link points to is replaced, not the link. Devices, pipes, and what is named under /dev and /proc
/// are added to as they are.
/// @throws std::system_error that names the file; then nothing has changed under its name
void write_file(const std::string& name, std::string_view text);

/// Likewise, of what `fill` gives to `write`, piece by piece.
using file_writer = std::function<void(std::string_view)>;
void write_file(const std::string& name, const std::function<void(const file_writer& write)>& fill);

/// A name in quotes, with control characters as octal escapes, so that a message stays one line.
std::string quoted_name(std::string_view name);

}  // namespace weir::support
