// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/cluster/configuration.hpp"

#include "cluster/protocol/messages.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace weir::cluster {

class connection;

/// A group, as the coordinator sees it.
struct member {
  const group_configuration* about = nullptr;
  std::size_t number = 0;                 ///< its position among all groups
  std::shared_ptr<connection> connected;  ///< null: it has not connected so far
  bool here = false;                      ///< it has introduced itself
  bool over = false;                      ///< it is not connected any more
  process_place place;
  program_build build;
  std::string address;
  std::string called_from;  ///< address and port

  const std::string& name() const noexcept { return about->name; }
};

/// All groups of a cluster. One thread.
class roster {
 public:
  /// @param groups must outlive this
  explicit roster(const std::vector<group_configuration>& groups);

  std::vector<member>& all() noexcept { return members_; }
  const std::vector<member>& all() const noexcept { return members_; }
  /// Returns the group of that name. @throws protocol_error
  member& at(const std::string& name);
  const member& at(const std::string& name) const;
  /// Returns the group of that name; null: there is none.
  const member* find(const std::string& name) const noexcept;
  std::vector<std::string> names() const;

  /// Sends a message to a group that has connected.
  static void tell(const member& to, const to_group::any& message);
  /// Sends a message to all groups that have connected, except one.
  void tell_all(const to_group::any& message, const member* but = nullptr) const;

 private:
  std::vector<member> members_;
};

}  // namespace weir::cluster
