// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace weir::cluster {

/// Detects when a loop with a part in each of several groups has ended (see `loop`), and decides
/// what the coordinator asks of all of them next. When every part has reported that it is quiet,
/// all parts note their completed items. Then all compare them with the items sent. If no item is
/// on its way, the heads are asked, and the notes and comparisons are repeated. If no item was sent
/// in between, the loop is closed.
///
/// A part's report that it is quiet counts from the moment when the last comparison was requested,
/// and is not discarded after that. So a part may send it before or after its answer.
class loop_wave {
 public:
  enum class order { none, note, compare, ask, close };

  /// @param parts the groups that have members
  explicit loop_wave(std::set<std::string> parts) : parts_(std::move(parts)) {}

  const std::set<std::string>& parts() const noexcept { return parts_; }

  // Each returns the order that all parts must get now.
  // @throws protocol_error if the part was not asked for this
  order quiet(const std::string& part);
  order noted(const std::string& part);
  order compared(const std::string& part, bool quiet, bool quiet_now, std::uint64_t sent);
  order answered(const std::string& part);  ///< the heads of the part have answered

 private:
  bool all_have_answered(const std::string& part, order to);
  order begin_if_all_are_quiet();
  order tell(order what);

  const std::set<std::string> parts_;
  std::set<std::string> quiet_;
  order asked_for_ = order::none;
  std::set<std::string> asked_;             // those that have not answered yet
  bool all_quiet_ = true;                   // so far
  std::uint64_t sent_ = 0;                  // sum of the answers so far
  std::optional<std::uint64_t> sent_then_;  // `sent_` when the heads were asked
};

}  // namespace weir::cluster
