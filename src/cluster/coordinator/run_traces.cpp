// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/coordinator/run_traces.hpp"

#include "run/environment.hpp"

#include <utility>

namespace weir::cluster {

void run_traces::request(std::shared_ptr<merged_trace> first) noexcept {
  requested_ = true;
  file_ = std::move(first);
}

void run_traces::begin(std::uint32_t run, const std::string& file) {
  run_ = run;
  trace_options asked;
  asked.file = file;
  if (requested_ && run != 1) asked = detail::requested_trace(asked);  // the file of the first run is open already
  if (run != 1 || !file.empty()) file_.reset();
  if (file_ == nullptr && !asked.file.empty()) file_ = std::make_shared<merged_trace>(asked.file);
}

void run_traces::hear(const to_coordinator::trace& message) {
  if (file_ != nullptr && message.run == run_) file_->add(message.events);
}
void run_traces::hear(const std::string& group, const to_coordinator::traced& message) {
  if (file_ != nullptr && message.run == run_) file_->end_of(group, message.about);
}

}  // namespace weir::cluster
