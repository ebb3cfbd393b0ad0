// SPDX-FileCopyrightText: 2026 The weir authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ports/route.hpp"

#include <cstddef>
#include <vector>

namespace weir::detail {

/// A rule by which consumers share the items: each item goes to one that can take it now. Consumers
/// in other groups are used only if no near one can.
class sharing : public branch {
 public:
  sharing(out_port& port, routes children);

  bool ready(const void* item) final;
  place put(const void* item) final;
  bool ask(const void* item) final;

 private:
  // Returns whether the rule allows one more item for the child.
  virtual bool is_assignable(const route& to) const noexcept = 0;
  // Asks for room in a child. @return whether the item can go on already
  virtual bool ask_child(route& to, const void* item) { return to.ask(item); }

  bool one_ready(const void* item, std::size_t begin, std::size_t end, std::size_t& first);

  std::vector<std::size_t> order_;  // children by preference: near ones, then far ones
  std::size_t near_;                // number of near ones
  std::size_t first_near_ = 0;      // position in `order_` of the near child to try first
  std::size_t first_far_;
  std::size_t found_ = 0;  // the child that was found ready
};

}  // namespace weir::detail
