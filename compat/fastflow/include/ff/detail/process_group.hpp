// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#ifndef WEIR_FF_DETAIL_PROCESS_GROUP_HPP
#define WEIR_FF_DETAIL_PROCESS_GROUP_HPP

#include <weir/export.hpp>

#include <ostream>
#include <streambuf>
#include <string>

namespace ff {
namespace detail {

/// Writes what it gets to the standard output, and `[group] ` at the beginning of each line. It
/// keeps the text of each thread until the line is whole, or flushed, so that lines don't mix.
class WEIR_API prefixed_output final : public std::streambuf {
 protected:
  int overflow(int character) override;
  std::streamsize xsputn(const char* text, std::streamsize count) override;
  int sync() override;
};

/// Same as `DFF_Init` below.
/// @param is_distributed false in programs with DISABLE_FF_DISTRIBUTED
WEIR_API int init_group(int& count, char** arguments, bool is_distributed);
WEIR_API std::string name_of_group();

}  // namespace detail

/// Standard output, with the name of the group in front of each line, if the process is a group.
/// Any thread may write. A line is written as a whole, unless it is flushed, or `svc` returns,
/// before it ends.
WEIR_API extern std::ostream cout;

}  // namespace ff

#endif
