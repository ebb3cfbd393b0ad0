// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/merged_trace.hpp"

#include "cluster/message.hpp"

namespace weir::cluster {

merged_trace::merged_trace(const std::string& name) : file_(name) {
  file_ << R"({"displayTimeUnit":"ns","traceEvents":[)";
}

merged_trace::~merged_trace() {
  const nlohmann::json about{{"dropped", dropped_}, {"clock", "the coordinator's"}, {"groups", groups_}};
  file_ << "\n],\"otherData\":" << about.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << "}\n";
  file_.close();
}

void merged_trace::add(std::string_view events) {
  if (empty_ && !events.empty()) {
    events.remove_prefix(1);  // the comma
    empty_ = false;
  }
  file_ << events;
}

void merged_trace::end_of(const std::string& group, const nlohmann::json& about) {
  groups_[group] = about;
  dropped_ += field<std::uint64_t>(about, "dropped");
}

}  // namespace weir::cluster
