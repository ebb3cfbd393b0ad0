// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "writer.hpp"

#include "support/output.hpp"

#include <utility>

namespace filesearch {

void writer::process(findings found) {
  *sum_ += found.found;
  if (enough_ != nullptr && sum_->matching_files != 0) enough_->request_stop();
  if (found.text.empty() && found.message.empty() && !found.continued) return;
  if (continues_ && *continues_ != found.searcher) {
    waiting_.push_back(std::move(found));
    return;
  }
  write(std::move(found));
  while (!continues_ && !waiting_.empty()) {
    for (findings& one : std::exchange(waiting_, {})) {
      if (continues_ && *continues_ != one.searcher) {
        waiting_.push_back(std::move(one));
      } else {
        write(std::move(one));
      }
    }
  }
}

void writer::write(findings found) {
  if (found.continues) {
    continues_ = found.searcher;
  } else {
    continues_.reset();
  }
  if (!found.text.empty()) {
    if (written_ && !found.continued) found.text.insert(0, separator_);
    weir::support::write_standard_output(found.text);
    written_ = true;
  }
  if (!found.message.empty()) weir::support::complain("filesearch", found.message);
}

}  // namespace filesearch
