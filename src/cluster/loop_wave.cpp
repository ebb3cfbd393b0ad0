// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/loop_wave.hpp"

namespace weir::cluster {

loop_wave::order loop_wave::quiet(const std::string& part) {
  quiet_.insert(part);
  return begin_if_all_are_quiet();
}

loop_wave::order loop_wave::done() {
  if (--answers_missing_ != 0) return order::none;
  return tell(asked_for_ == order::note ? order::compare : order::note);
}

loop_wave::order loop_wave::compared(const std::string& part, bool quiet, bool quiet_now, std::uint64_t sent) {
  if (quiet_now) quiet_.insert(part);
  all_quiet_ = all_quiet_ && quiet;
  sent_ += sent;
  if (--answers_missing_ != 0) return order::none;
  if (!all_quiet_) {
    asked_for_ = order::none;
    sent_then_.reset();
    return begin_if_all_are_quiet();
  }
  if (sent_then_ == sent_) return tell(order::close);
  sent_then_ = sent_;
  return tell(order::ask);
}

loop_wave::order loop_wave::begin_if_all_are_quiet() {
  if (asked_for_ != order::none || quiet_.size() != parts_.size()) return order::none;
  return tell(order::note);
}

loop_wave::order loop_wave::tell(order what) {
  asked_for_ = what;
  answers_missing_ = parts_.size();
  if (what == order::compare) {
    quiet_.clear();
    all_quiet_ = true;
    sent_ = 0;
  }
  return what;
}

}  // namespace weir::cluster
