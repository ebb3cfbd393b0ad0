// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How weir's own programs end. One rule for all: in silence, as by SIGPIPE, if nobody reads their
// output any more; with 128 + N after signal N; else with one line on standard error, and the
// program's exit code for a failure.

#include <exception>
#include <string_view>

namespace weir::support {

/// Whether an error is of this kind of exceptions, or one that is nested in it is.
template <class Kind>
bool is_caused_by(const std::exception& error) {
  if (dynamic_cast<const Kind*>(&error) != nullptr) return true;
  try {
    std::rethrow_if_nested(error);
  } catch (const std::exception& nested) {
    return is_caused_by<Kind>(nested);
  } catch (...) {  // that is no exception
  }
  return false;
}

/// From now on writing where nobody reads, and more than a file may have (`ulimit -f`), fails
/// instead of ending the process. The first call of a program.
void survive_failing_writes() noexcept;

/// Says what went wrong.
/// @return `failure`, for main to return: but if that is `output_closed`, and whoever started the
/// program has not asked for SIGPIPE to be ignored, that signal ends the process here, in silence
int ended_by(const std::exception& error, std::string_view program, int failure);

}  // namespace weir::support
