// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace weir::cluster {

/// Returns the name of a message on the wire, which is that of its struct.
template <class Message>
consteval std::string_view message_name() {
  // "... [with Message = weir::cluster::to_group::go; ...]" for g++, "... [Message =
  // weir::cluster::to_group::go]" for clang
  constexpr std::string_view signature = __PRETTY_FUNCTION__;
  constexpr std::string_view before = "Message = ";
  std::string_view name = signature.substr(signature.find(before) + before.size());
  name = name.substr(0, name.find_first_of(";]"));
  return name.substr(name.rfind(':') + 1);
}

}  // namespace weir::cluster
