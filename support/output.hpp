// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Output of the programs of weir: to standard output, to standard error, and to files that are
// either complete or absent. Also functions for file names in messages.

#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <system_error>

namespace weir::support {

/// Thrown if standard output is a pipe or a socket that no process reads any more.
class output_closed : public std::system_error {
 public:
  using std::system_error::system_error;
};

/// Reports "can't write standard output" with the reason in `errno`. @throws output_closed, or else
/// std::system_error
[[noreturn]] void cant_write_standard_output();

/// Writes the text to standard output. @throws as `cant_write_standard_output`
void write_standard_output(std::string_view text);

/// Called after the last output. Reports errors that file systems on a network, and quotas, report
/// only when a file is closed. Standard output stays open. @throws as `cant_write_standard_output`
void finish_standard_output();

/// Writes requested output, such as a table, to standard error. @throws std::system_error
void print_on_standard_error(std::string_view text);

/// Writes the program's name and a message as one line to standard error, in one piece. A failure
/// to write is ignored.
void complain(std::string_view program, std::string_view message) noexcept;

/// Returns the line that `complain` writes.
std::string complaint(std::string_view program, std::string_view message);

/// Returns the first cause: the text of the innermost nested error, or of the error itself. Users
/// of a program need not know the nodes through which the error passed.
std::string cause_of(const std::exception& error);

/// Writes text to standard error; a failure to write is ignored.
void write_standard_error(std::string_view text) noexcept;

/// Follows the links of a name, even to a file that does not exist. @throws std::system_error if
/// the links form a circle
std::string target_of(const std::string& name);

/// Ensures that a file opened later does not take the number of a standard stream that was closed.
/// Using such a stream continues to fail.
void occupy_standard_descriptors() noexcept;

/// Writes a file. A regular file gets its name, or its new contents, only once it is complete: a
/// new file replaces it, with its attributes (`keep_attributes`). A line on standard error tells of
/// those that it could not get, such as other names of the old file. The target of a link is
/// replaced, not the link. Devices, pipes, and files under /dev and /proc are not replaced but
/// appended to.
/// @throws std::system_error that names the file; nothing has then changed under its name
void write_file(const std::string& name, std::string_view text);

/// Writes a file in the same way from the pieces that `fill` passes to `write`.
using file_writer = std::function<void(std::string_view)>;
void write_file(const std::string& name, const std::function<void(const file_writer& write)>& fill);

/// Returns the name in quotes, with control characters as octal escapes, which keeps a message on
/// one line.
std::string quoted_name(std::string_view name);

}  // namespace weir::support
