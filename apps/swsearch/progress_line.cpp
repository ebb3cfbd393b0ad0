// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "progress_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace swsearch {

std::string progress_line::text() {
  using clock = std::chrono::steady_clock;
  if (searching_ == clock::time_point{} && of_->database_residues != 0) searching_ = clock::now();
  if (searching_ == clock::time_point{}) return "reading the database";
  const double seconds = std::chrono::duration<double>(clock::now() - searching_).count();
  if (seconds < 0.2) return "searching";
  const auto done = static_cast<double>(of_->cells_done);
  const double rate = done / seconds;
  std::string text = fmt::format("{:.1f} GCUPS", rate / 1e9);
  // The remaining work is known once all queries have been read.
  const double all = static_cast<double>(strands_ * of_->query_residues) * static_cast<double>(of_->database_residues);
  if (of_->all_queries && all > 0) {
    text = fmt::format("{:.0f} %, {}", std::floor(100 * std::min(1.0, done / all)), text);
    if (rate > 0) text += fmt::format(", {:.0f} s left", std::ceil(std::max(0.0, all - done) / rate));
  }
  return text;
}

}  // namespace swsearch
