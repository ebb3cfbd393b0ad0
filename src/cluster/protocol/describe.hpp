// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/cluster/configuration.hpp"
#include "weir/detail/run/group_run.hpp"

#include <concepts>
#include <type_traits>

// A description lists the members of a struct for a visitor `fields`, with their keys in a message:
//
//   fields("key", self.member)
//   fields.up_to("key", self.member, most)    a number from 0 to `most`, or an enumeration to `most`
//
// One description serves to write and to read. A struct describes itself in a static member
// `describe`; those of other layers are described here.
namespace weir::cluster {

/// The last value of the enumeration.
inline constexpr link_transport last_link_transport = link_transport::mpi;

template <class Self, class T>
concept maybe_const = std::same_as<std::remove_const_t<Self>, T>;

void describe(maybe_const<link_configuration> auto& self, auto& fields) {
  fields("one", self.one);
  fields("other", self.other);
  fields.up_to("transport", self.transport, last_link_transport);
}
void describe(maybe_const<detail::waiting_node> auto& self, auto& fields) {
  fields("path", self.path);
  fields("who", self.who);
  fields("next", self.next);
  fields("text", self.text);
}

/// Applies the description of `self` to a visitor.
template <class Self, class Fields>
void describe_all(Self& self, Fields& fields) {
  using described = std::remove_const_t<Self>;
  if constexpr (requires { described::describe(self, fields); }) {
    described::describe(self, fields);
  } else {
    describe(self, fields);
  }
}

}  // namespace weir::cluster
