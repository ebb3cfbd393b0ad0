// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/detail/run/group_run.hpp"
#include "weir/run/group_member.hpp"

#include <string>
#include <vector>

namespace weir::cluster {

/// Replaces a group if the environment asks (as the commands `weir plan` and `weir check` do) how
/// the network of the first run would be cut, instead of running it:
///
///     WEIR_PLAN=FILE     holds the request; the answer is written over it, and the process ends there with status 0
///
/// The request, in JSON: `configuration`, its text, and `file`, its name; `cores` that symbolic
/// widths stand for; `cores_of`, the cores of each group by its name (default 1; only their ratio
/// counts); `report`, that of an earlier run, or null. The answer: `problems`, one line each;
/// `groups`, each with `name`, `nodes` (in the form of a configuration) and `work` (its share);
/// `first`, the group of the first source; `channels` that are cut, each with `from`, `to` and its
/// `share` of all bytes, largest first; `cut`, the sum of these; `measured`, whether a report was
/// used.
class planning_member final : public group_member {
 public:
  explicit planning_member(const std::string& file);

  std::size_t cores() const override { return cores_; }
  std::vector<planned_group> groups() const override { return {{file_, static_cast<double>(cores_)}}; }
  [[noreturn]] void assign_groups(graph& whole) const override;
  const std::string& name() const override { return file_; }
  std::unique_ptr<detail::group_run> begin(const graph&, detail::run_control&) override { return nullptr; }

 private:
  std::string file_;
  std::string request_;
  std::size_t cores_ = 1;
};

}  // namespace weir::cluster
