// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cluster/protocol/messages.hpp"
#include "run/trace_file.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace weir::cluster {

/// The trace of a run of all groups, as one file: each group's tracks under its name, all on the
/// coordinator's clock. See trace.cpp for the format; `otherData` says for each group how its clock
/// was compared. Parts may come in any order. The destructor completes the file, also without the
/// parts of a group that was lost.
class merged_trace {
 public:
  /// Opens the file. @throws graph_error
  explicit merged_trace(const std::string& name);
  ~merged_trace();

  /// Adds events of a group (see trace_pieces).
  void add(std::string_view events);
  /// Ends the group's part: all of its events have been added.
  void end_of(const std::string& group, const trace_end& about);

 private:
  detail::trace_file file_;
  bool empty_ = true;
  std::uint64_t dropped_ = 0;
  std::map<std::string, trace_end> groups_;
};

}  // namespace weir::cluster
