// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/coordinator/merged_trace.hpp"

#include "graph/json_text.hpp"

namespace weir::cluster {

merged_trace::merged_trace(const std::string& name) : file_(name) {
  file_ << R"({"displayTimeUnit":"ns","traceEvents":[)";
}

merged_trace::~merged_trace() {
  file_ << R"(
],"otherData":{"clock":"the coordinator's","dropped":)"
        << std::to_string(dropped_) << R"(,"groups":{)";
  const char* comma = "";
  for (const auto& [name, about] : groups_) {
    file_ << comma << detail::quoted_json(name) << R"(:{"ahead_ns":)" << std::to_string(about.ahead_ns)
          << R"(,"dropped":)" << std::to_string(about.dropped) << R"(,"uncertainty_ns":)"
          << std::to_string(about.uncertainty_ns) << "}";
    comma = ",";
  }
  file_ << "}}}\n";
  file_.close(detail::notice_wait::never);  // the coordinator's thread, which sends heartbeats
}

void merged_trace::add(std::string_view events) {
  if (empty_ && !events.empty()) {
    events.remove_prefix(1);  // the comma
    empty_ = false;
  }
  file_ << events;
}

void merged_trace::end_of(const std::string& group, const trace_end& about) {
  groups_[group] = about;
  dropped_ += about.dropped;
}

}  // namespace weir::cluster
