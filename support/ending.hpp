// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The end of a program that belongs to weir, by one rule for all: silently, as by SIGPIPE, if no
// process reads its output any more; with exit code 128 + N after signal N; otherwise with one line
// on standard error and the program's exit code for a failure.

#include <exception>
#include <string_view>

namespace weir::support {

/// Whether the error, or an error nested in it, is an exception of this kind.
template <class Kind>
bool is_caused_by(const std::exception& error) {
  if (dynamic_cast<const Kind*>(&error) != nullptr) return true;
  try {
    std::rethrow_if_nested(error);
  } catch (const std::exception& nested) {
    return is_caused_by<Kind>(nested);
  } catch (...) {  // not a std::exception
  }
  return false;
}

/// From now on, a write without a reader, or beyond the limit for file sizes (`ulimit -f`), fails
/// instead of ending the process. Must be the first call of a program.
void survive_failing_writes() noexcept;

/// Reports the error.
/// @return `failure`, for main to return. But if the error is `output_closed`, and SIGPIPE was not
/// ignored when the program was started, SIGPIPE ends the process here, silently
int ended_by(const std::exception& error, std::string_view program, int failure);

}  // namespace weir::support
