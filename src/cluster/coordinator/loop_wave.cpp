// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#include "cluster/coordinator/loop_wave.hpp"

#include "cluster/wire/frame.hpp"

namespace weir::cluster {

loop_wave::order loop_wave::quiet(const std::string& part) {
  quiet_.insert(part);
  return begin_if_all_are_quiet();
}

loop_wave::order loop_wave::noted(const std::string& part) {
  return all_have_answered(part, order::note) ? tell(order::compare) : order::none;
}

loop_wave::order loop_wave::answered(const std::string& part) {
  return all_have_answered(part, order::ask) ? tell(order::note) : order::none;
}

loop_wave::order loop_wave::compared(const std::string& part, bool quiet, bool quiet_now, std::uint64_t sent) {
  const bool all = all_have_answered(part, order::compare);
  if (quiet_now) quiet_.insert(part);
  all_quiet_ = all_quiet_ && quiet;
  sent_ += sent;
  if (!all) return order::none;
  if (!all_quiet_) {
    asked_for_ = order::none;
    sent_then_.reset();
    return begin_if_all_are_quiet();
  }
  if (sent_then_ == sent_) return tell(order::close);
  sent_then_ = sent_;
  return tell(order::ask);
}

bool loop_wave::all_have_answered(const std::string& part, order to) {
  if (asked_for_ != to || asked_.erase(part) == 0) throw protocol_error(part + " answers what it was not asked");
  return asked_.empty();
}

loop_wave::order loop_wave::begin_if_all_are_quiet() {
  if (asked_for_ != order::none || quiet_.size() != parts_.size()) return order::none;
  return tell(order::note);
}

loop_wave::order loop_wave::tell(order what) {
  asked_for_ = what;
  asked_ = parts_;
  if (what == order::compare) {
    quiet_.clear();
    all_quiet_ = true;
    sent_ = 0;
  }
  return what;
}

}  // namespace weir::cluster
