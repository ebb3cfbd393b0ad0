// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace weir::cluster {

/// Finds out when a loop has ended that has a part in each of several groups (see `loop`): what the
/// coordinator asks of all of them next. When every part has said that it is quiet, all note what
/// is completed, and then all compare that with what was sent. If nothing is on its way, their
/// heads are asked, and all of that is done once more; if nothing was sent in between, the loop is
/// closed.
///
/// What a part says of being quiet counts from the moment on at which the last comparison was asked
/// for: it is never forgotten after that, so a part may say so before or after its answer.
class loop_wave {
 public:
  enum class order { none, note, compare, ask, close };

  /// @param parts the groups that have members
  explicit loop_wave(std::set<std::string> parts) : parts_(std::move(parts)) {}

  const std::set<std::string>& parts() const noexcept { return parts_; }

  // Each gives what all parts are to be told now.
  // @throws protocol_error if the part was not asked that
  order quiet(const std::string& part);
  order noted(const std::string& part);
  order compared(const std::string& part, bool quiet, bool quiet_now, std::uint64_t sent);
  order answered(const std::string& part);  ///< its heads

 private:
  bool all_have_answered(const std::string& part, order to);
  order begin_if_all_are_quiet();
  order tell(order what);

  const std::set<std::string> parts_;
  std::set<std::string> quiet_;
  order asked_for_ = order::none;
  std::set<std::string> asked_;             // and not answered so far
  bool all_quiet_ = true;                   // as far as they have answered
  std::uint64_t sent_ = 0;                  // as far as they have answered
  std::optional<std::uint64_t> sent_then_;  // when the heads were asked
};

}  // namespace weir::cluster
